import BackupContainer
import BackupDevice
import BackupFileTree

extension ScenarioRun {
  /// Records the links, paths and file names in the container that lead nowhere, or will after an
  /// update or a restore.
  mutating func recordUnsafeReferences() throws(StepFailure) {
    try recordUnusedStaleLinks()
    try recordStoredPaths()
    try recordNamesOfMissingFiles()
  }

  /// Records the files that contain the container's own path. An update or a restore changes this
  /// path.
  ///
  /// The app's own code, or a step with `{container}`, wrote the path. The kit does not search
  /// caches, tmp and logs, because the app creates these files again or never uses the paths in
  /// them.
  mutating func recordStoredPaths() throws(StepFailure) {
    let container = isDiskUncertain ? disk.container : nil
    guard container != nil || stepUses.deviceFacts.contains(.containerPath) else { return }
    var searchedFiles: [ContainerPath] = []
    tree.walk { path, item in
      if item.isDirectory {
        return !path.isLog && path.location != .caches && path.location != .temporary
      }
      if case .file = item.kind, !path.isLog { searchedFiles.append(path) }
      return true
    }
    let byteLimit = tally.limits.searched
    var filesWithOwnPath: Set<ContainerPath> = []
    if let container {
      filesWithOwnPath = Set(
        try failingStepOnError(
          try container.filesHoldingOwnPath(among: searchedFiles, searching: byteLimit)))
    }
    let simulatedPath = Array(ModelDisk.containerPath(afterMoves: device.app.moveCount).utf8)
    func hasOwnPath(_ bytes: [UInt8]) -> Bool {
      container?.hasOwnPath(bytes) == true || !bytes.positions(of: simulatedPath).isEmpty
    }
    let stepsStorePath = stepUses.deviceFacts.contains(.containerPath)
    for path in searchedFiles where stepsStorePath || filesWithOwnPath.contains(path) {
      let bytes = try nilIfRefused(try disk.bytes(of: path, in: tree))
      guard
        filesWithOwnPath.contains(path)
          || bytes.map({ hasOwnPath(Array($0.prefix(byteLimit))) }) == true
      else { continue }
      let key = bytes.flatMap(PropertyList.init(parsing:))?.dottedKeyPath(where: hasOwnPath)
      try record(.storedPath(path, key: key, setBy: step(setting: key, in: path)))
    }
  }

  /// The highest number of missing files whose names the kit searches for.
  private static let highestMissingFileCount = 100

  /// Records the files that name a missing file.
  ///
  /// iOS deleted or did not restore the missing file, and the app has not created it again since
  /// its launch. The kit searches only the property lists, JSON files and databases in the backup.
  mutating func recordNamesOfMissingFiles() throws(StepFailure) {
    var missingFiles = notes.lostFiles.filter { $0.value && !tree.contains($0.key) }.keys.sorted()
    guard !missingFiles.isEmpty else { return }
    var searchedFiles: [ContainerPath] = []
    var existingNames: Set<ContainerPath.Component> = []
    tree.forEachItem { path, item in
      existingNames.insert(path.name)
      if case .file(let file) = item.kind, path.mayNameFiles || file.isDatabase {
        searchedFiles.append(path)
      }
    }
    // If another item has the same name, the file may name that item. A picture and its thumbnail,
    // for example, often have the same name.
    missingFiles = Array(
      missingFiles.filter { !existingNames.contains($0.name) }.prefix(Self.highestMissingFileCount))
    guard !missingFiles.isEmpty, !searchedFiles.isEmpty else { return }
    let backupSet = backup(of: tree)
    for file in searchedFiles where backupSet.contains(file) {
      let bytes = try nilIfRefused(try disk.bytes(of: file, in: tree))
      let propertyList = bytes.flatMap(PropertyList.init(parsing:))
      for path in missingFiles {
        let nameBytes = Array(path.name.string.utf8)
        let key = propertyList?.dottedKeyPath {
          $0 == nameBytes || $0.hasSuffix([UInt8(ascii: "/")] + nameBytes)
        }
        // Search the bytes only of other files, such as databases. In a JSON file that cannot be
        // parsed, the name may be part of another text.
        if key == nil {
          guard propertyList == nil, !file.isOfJSON, try contains(nameBytes, in: file, bytes) else {
            continue
          }
        }
        try record(
          .namedMissing(file, key: key, setBy: step(setting: key, in: file), missing: path))
      }
    }
  }

  private func step(setting key: String?, in path: ContainerPath) -> Scenario.StepReference? {
    key.flatMap { notes.defaultsHistories[path]?.step(setting: $0) }
  }

  /// Updates the history of the user defaults that the app has changed or that iOS has restored.
  mutating func updateDefaultsHistory(after entry: Transcript.Entry) throws(StepFailure) {
    switch entry.event {
    case .changes(let changes):
      for change in changes where change.createsOrSavesItem {
        try updateDefaultsHistory(at: change.path, in: entry.tree)
      }
    case .system where entry.event.losses?.lossReason.comesWithNewPaths == true:
      for path in notes.defaultsHistories.keys {
        let list = try propertyList(at: path, in: entry.tree) ?? .dictionary([:])
        notes.defaultsHistories[path]?.update(to: list, setBy: nil)
      }
    default: break
    }
  }

  /// Updates the history of a file of user defaults. The current step has set the new values.
  mutating func updateDefaultsHistory(at path: ContainerPath, in tree: FileTree) throws(StepFailure)
  {
    guard path.isUserDefaultsFile, let list = try propertyList(at: path, in: tree) else {
      return
    }
    notes.defaultsHistories[path, default: UserDefaultsHistory()].update(
      to: list, setBy: currentStep)
  }

  private func propertyList(
    at path: ContainerPath, in tree: FileTree
  ) throws(StepFailure) -> PropertyList? {
    try nilIfRefused(try disk.bytes(of: path, in: tree)).flatMap(PropertyList.init(parsing:))
  }

  private func contains(
    _ nameBytes: [UInt8], in path: ContainerPath, _ bytes: [UInt8]?
  ) throws(StepFailure) -> Bool {
    let byteLimit = tally.limits.searched
    if let container = disk.container {
      return try failingStepOnError(try container.holds(nameBytes, in: path, searching: byteLimit))
    }
    return bytes.map { !Array($0.prefix(byteLimit)).positions(of: nameBytes).isEmpty } ?? false
  }

  /// Replaces the path in a new link with the absolute path of its destination.
  mutating func makeAbsolute(
    _ link: ContainerPath, _ destination: ContainerPath
  ) throws(StepFailure) {
    let target = try failingStepOnError(
      try disk.makeLinkAbsolute(
        link, destination, afterMoves: device.app.moveCount))
    var tree = self.tree
    tree.modify(link) { $0.kind = .link(target: target) }
    try record(.changes([]), tree: tree)
  }

  /// Records a link into a former container if the app did not find an item because of this link.
  /// Returns false if no such link is on the way to the items.
  mutating func recordUsedStaleLink(
    onTheWayTo paths: [ContainerPath], wrapperText: String?
  ) throws(StepFailure) -> Bool {
    guard let link = paths.lazy.compactMap(staleLink).first else { return false }
    try record(.staleLink(link, isUsed: true, wrappedIn: wrapperText))
    return true
  }

  /// Returns the first link into a former container on the way to an item; nil for none.
  func staleLink(onTheWayTo path: ContainerPath) -> ContainerPath? {
    (path.ancestors + [path]).first { tree[$0].map(isStaleLink) == true }
  }

  /// Records the links into former containers that the app has not replaced. Does nothing if the
  /// app has not run in the current container.
  mutating func recordUnusedStaleLinks() throws(StepFailure) {
    guard device.app.traits.contains(.hasRunInContainer), device.app.moveCount > 0 else { return }
    var links: [ContainerPath] = []
    tree.visit(where: isStaleLink) { path, _ in links.append(path) }
    for link in links { try record(.staleLink(link, isUsed: false, wrappedIn: nil)) }
  }

  /// Returns true for a link that contains a path in a former container.
  private func isStaleLink(_ item: FileTree.Item) -> Bool {
    guard case .link(let target) = item.kind else { return false }
    return disk.formerContainerPath(
      of: String(decoding: target, as: UTF8.self), afterMoves: device.app.moveCount) != nil
  }
}

extension RunNotes {
  /// Updates ``lostFiles`` after an event.
  mutating func updateLostFiles(after entry: Transcript.Entry) {
    switch entry.event {
    case .changes(let changes) where !lostFiles.isEmpty:
      for change in changes where change.createsOrSavesItem {
        entry.tree[change.path]?.forEachItem(at: change.path) { path, _ in
          lostFiles[path] = nil
        }
      }
    case .system:
      lostFiles = lostFiles.filter { !entry.tree.contains($0.key) }
      guard let losses = entry.event.losses else { return }
      if losses.lossReason == .deletedWithApp { return lostFiles = [:] }
      losses.items.forEachItem { path, item in
        if item.size != nil, path.name.identifiesFile { lostFiles[path] = false }
      }
    case .launch: lostFiles = lostFiles.mapValues { _ in true }
    default: break
    }
  }

  /// Removes the files in the directory of `path` from ``lostFiles``.
  ///
  /// The app has checked whether the file at `path` exists. The kit assumes that the app also
  /// checks for the other files, so that names of these files do no harm.
  mutating func forgetLostFiles(beside path: ContainerPath) {
    guard lostFiles[path] != nil else { return }
    lostFiles = lostFiles.filter { $0.key.parent != path.parent }
  }
}

extension ContainerPath {
  fileprivate var isLog: Bool {
    let name = name.string.lowercased()
    return name == "logs" || name.hasSuffix(".log")
  }

  /// True for a property list, a JSON file or a database, by its name.
  fileprivate var mayNameFiles: Bool {
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
  /// True if the name has an extension and at least 5 bytes. Many files contain shorter names by
  /// chance.
  fileprivate var identifiesFile: Bool {
    let name = string
    return name.utf8.count >= 5 && name.dropFirst().contains(".")
  }
}
