import BackupContainer
import BackupDevice
import BackupFileTree

extension ScenarioRun {
  /// Takes up that the run is at its end: what is still wrong there is recorded.
  mutating func noteKeptPaths() throws(StepFailure) {
    try noteStaleLinks()
    try noteStoredPaths()
    try noteMissingNames()
  }

  /// Notes the files that hold the container's own path, which an update or a restore changes.
  ///
  /// Code of the app's own, or a step with `{container}`, has put it there. Caches, tmp and logs are not looked
  /// at: the app makes them again, or never follows what they say.
  mutating func noteStoredPaths() throws(StepFailure) {
    let container = isDiskUncertain ? disk.container : nil
    guard container != nil || uses.details.contains(.containerPath) else { return }
    var files: [ContainerPath] = []
    tree.walk { path, item in
      if item.isDirectory {
        return !path.isLog && path.location != .caches && path.location != .temporary
      }
      if case .file = item.kind, !path.isLog { files.append(path) }
      return true
    }
    let length = tally.limits.searched
    var stored: Set<ContainerPath> = []
    if let container {
      stored = Set(
        try onDisk(try container.filesHoldingOwnPath(among: files, searching: length)))
    }
    let own = Array(ModelDisk.containerPath(afterMoves: device.app.moveCount).utf8)
    func isOwnPath(_ bytes: [UInt8]) -> Bool {
      container?.isOwnPath(bytes) == true || !bytes.places(of: own).isEmpty
    }
    let isSearched = uses.details.contains(.containerPath)
    for path in files where isSearched || stored.contains(path) {
      let bytes = try unlessRefused(try disk.bytes(of: path, in: tree))
      guard stored.contains(path) || bytes.map({ isOwnPath(Array($0.prefix(length))) }) == true
      else { continue }
      let key = bytes.flatMap(PropertyList.init(anyBytes:))?.key(where: isOwnPath)
      try record(.storedPath(path, key: key, setBy: step(setting: key, in: path)))
    }
  }

  /// How many missing files are looked for by name.
  private static let mostNames = 100

  /// Notes the property lists, JSON files and databases that are backed up and name a file which is not,
  /// and which is missing though the app has started since.
  mutating func noteMissingNames() throws(StepFailure) {
    var missing = notes.takenFiles.filter { $0.value && !tree.contains($0.key) }.keys.sorted()
    guard !missing.isEmpty else { return }
    var indices: [ContainerPath] = []
    var names: Set<ContainerPath.Component> = []
    tree.forEachItem { path, item in
      names.insert(path.name)
      if case .file(let file) = item.kind, path.isOfIndex || file.isDatabase {
        indices.append(path)
      }
    }
    // A name may mean the item that still has it, as a picture and its thumbnail have the same.
    missing = Array(missing.filter { !names.contains($0.name) }.prefix(Self.mostNames))
    guard !missing.isEmpty, !indices.isEmpty else { return }
    let set = backup(of: tree)
    for index in indices where set.contains(index) {
      let bytes = try unlessRefused(try disk.bytes(of: index, in: tree))
      let list = bytes.flatMap(PropertyList.init(anyBytes:))
      for path in missing {
        let name = Array(path.name.string.utf8)
        let key = list?.key { $0 == name || $0.hasSuffix([UInt8(ascii: "/")] + name) }
        // A file of JSON that cannot be read as such may say anything around the name.
        if key == nil {
          guard list == nil, !index.isOfJSON, try holds(name, in: index, bytes) else { continue }
        }
        try record(
          .namedMissing(index, key: key, setBy: step(setting: key, in: index), missing: path))
      }
    }
  }

  private func step(setting key: String?, in path: ContainerPath) -> Scenario.StepReference? {
    key.flatMap { notes.defaults[path]?.step(setting: $0) }
  }

  /// Notes which keys of user defaults the app has set, and which the system has put back.
  mutating func noteDefaults(_ entry: Transcript.Entry) throws(StepFailure) {
    switch entry.event {
    case .changes(let changes):
      for change in changes where change.places {
        try noteDefaults(at: change.path, in: entry.tree)
      }
    case .system where entry.event.losses?.fate.isOfNewContainer == true:
      for path in notes.defaults.keys {
        let list = try list(at: path, in: entry.tree) ?? .dictionary([:])
        notes.defaults[path]?.note(list, setBy: nil)
      }
    default: break
    }
  }

  /// Notes which keys of user defaults the step that runs has set in a file, if it is of these.
  mutating func noteDefaults(at path: ContainerPath, in tree: FileTree) throws(StepFailure) {
    guard path.isOfUserDefaults, let list = try list(at: path, in: tree) else { return }
    notes.defaults[path, default: UserDefaultsHistory()].note(list, setBy: currentStep)
  }

  private func list(
    at path: ContainerPath, in tree: FileTree
  ) throws(StepFailure) -> PropertyList? {
    try unlessRefused(try disk.bytes(of: path, in: tree)).flatMap(PropertyList.init(anyBytes:))
  }

  private func holds(
    _ name: [UInt8], in path: ContainerPath, _ bytes: [UInt8]?
  ) throws(StepFailure) -> Bool {
    let length = tally.limits.searched
    if let container = disk.container {
      return try onDisk(try container.holds(name, in: path, searching: length))
    }
    return bytes.map { !Array($0.prefix(length)).places(of: name).isEmpty } ?? false
  }

  /// Makes a link that was just made hold the absolute path of its destination.
  mutating func makeAbsolute(
    _ link: ContainerPath, _ destination: ContainerPath
  ) throws(StepFailure) {
    let target = try onDisk(
      try disk.makeLinkAbsolute(
        link, destination, afterMoves: device.app.moveCount))
    var tree = self.tree
    tree.modify(link) { $0.kind = .link(target: target) }
    try record(.changes([]), tree: tree)
  }

  /// Notes the link into a former container by which the app did not find an item; whether there is
  /// one.
  mutating func noteStaleLink(
    onTheWayTo paths: [ContainerPath], wrappedIn wrapper: String?
  ) throws(StepFailure) -> Bool {
    guard let link = paths.lazy.compactMap(staleLink).first else { return false }
    try record(.staleLink(link, isUsed: true, wrappedIn: wrapper))
    return true
  }

  /// The first link into a former container on the way to an item; nil without such a link.
  func staleLink(onTheWayTo path: ContainerPath) -> ContainerPath? {
    (path.ancestors + [path]).first { tree[$0].map(isStaleLink) == true }
  }

  /// Notes the links into former containers that an app leaves standing which has run since it got
  /// the one that it has.
  mutating func noteStaleLinks() throws(StepFailure) {
    guard device.app.traits.contains(.hasRunInContainer), device.app.moveCount > 0 else { return }
    var links: [ContainerPath] = []
    tree.visit(where: isStaleLink) { path, _ in links.append(path) }
    for link in links { try record(.staleLink(link, isUsed: false, wrappedIn: nil)) }
  }

  /// Whether an item is a link that holds the path of an item in a former container.
  private func isStaleLink(_ item: FileTree.Item) -> Bool {
    guard case .link(let target) = item.kind else { return false }
    return disk.formerContainerPath(
      of: String(decoding: target, as: UTF8.self), afterMoves: device.app.moveCount) != nil
  }
}

extension RunNotes {
  /// Notes which files the system has taken, and which of them the app has started without.
  mutating func noteTakenFiles(_ entry: Transcript.Entry) {
    switch entry.event {
    case .changes(let changes) where !takenFiles.isEmpty:
      for change in changes where change.places {
        entry.tree[change.path]?.forEachItem(at: change.path) { path, _ in
          takenFiles[path] = nil
        }
      }
    case .system:
      takenFiles = takenFiles.filter { !entry.tree.contains($0.key) }
      guard let losses = entry.event.losses else { return }
      if losses.fate == .deletedWithApp { return takenFiles = [:] }
      losses.items.forEachItem { path, item in
        if item.size != nil, path.name.canBeLookedFor { takenFiles[path] = false }
      }
    case .launch: takenFiles = takenFiles.mapValues { _ in true }
    default: break
    }
  }

  /// Notes that the app looked for a missing file before it used it, as it will for those beside it: what
  /// names them does no harm.
  mutating func noteLook(for path: ContainerPath) {
    guard takenFiles[path] != nil else { return }
    takenFiles = takenFiles.filter { $0.key.parent != path.parent }
  }
}

extension ContainerPath {
  fileprivate var isLog: Bool {
    let name = name.string.lowercased()
    return name == "logs" || name.hasSuffix(".log")
  }

  /// Whether it names a property list, a file of JSON or a database.
  fileprivate var isOfIndex: Bool {
    let name = name.string.lowercased()
    return isOfJSON
      || [".plist", ".sqlite", ".sqlite3", ".db", ".store"].contains(where: name.hasSuffix)
  }

  fileprivate var isOfJSON: Bool { name.string.lowercased().hasSuffix(".json") }
}

extension [UInt8] {
  fileprivate func hasSuffix(_ bytes: [UInt8]) -> Bool { suffix(bytes.count) == bytes[...] }
}

extension ContainerPath.Component {
  /// Whether the name identifies a file: it has an extension, and is not so short that many files
  /// contain it.
  fileprivate var canBeLookedFor: Bool {
    let name = string
    return name.utf8.count >= 5 && name.dropFirst().contains(".")
  }
}
