import BackupCollections
public import BackupFileTree

/// Predicts the contents of a backup: a pure function of a tree and a profile.
///
/// The kind of backup makes no difference, because every ``SystemProfile/BackupKind`` follows the
/// same public marks. The exception is an app whose backup the user has switched off: its backup is
/// empty.
///
/// The tree may have containers of groups and extensions beside the app's own, such as `group.x:`.
/// The rules for their kind apply to them. The kit assumes that the user's switch also applies to
/// them (`unverified`).
///
/// ```swift
/// let set = BackupSimulator(profile: profile).backUp(try container.scan())
/// set.decision(on: movie)?.reason  // own mark
/// ```
public struct BackupSimulator: Sendable {
  /// The profile of the version of iOS that is simulated.
  public let profile: SystemProfile
  /// The kind of the tree's own container, not of the containers beside it.
  public let container: SystemProfile.ContainerKind
  /// The kind of backup, which decides what it may hold.
  public let backups: SystemProfile.BackupKind

  /// Creates a simulator of backups under one version of iOS.
  ///
  /// - Parameters:
  ///   - profile: The profile of the version of iOS that is simulated.
  ///   - container: The kind of the tree's own container.
  ///   - backups: The kind of backup.
  public init(
    profile: SystemProfile, container: SystemProfile.ContainerKind = .app,
    backups: SystemProfile.BackupKind = .iCloud
  ) {
    self.profile = profile
    self.container = container
    self.backups = backups
  }

  /// Decides on every item, in time linear in the number of items.
  ///
  /// - Parameter tree: The container at the time of the backup.
  /// - Returns: The decisions, each with its reason.
  public func backUp(_ tree: FileTree) -> BackupSet {
    let rules = ContainerRules(
      policy: profile.backupPolicy(for: container),
      bundleIsInContainer: container == .app && profile.bundleIsInContainer.value)
    var pass = BackupPass(
      rules: rules, marks: profile.effectiveMarks,
      ignoredMarks: profile.honouredMarks.value.subtracting(profile.effectiveMarks),
      children: tree.children
    ) { name in
      ContainerRules(policy: profile.backupPolicy(for: SystemProfile.ContainerKind(name)), of: name)
    }
    if backups == .off { pass.leaveAllOut() } else { pass.decideAll() }
    return BackupSet(pass.decisions)
  }
}

/// One walk over a tree that decides on every item.
struct BackupPass {
  /// A pointer to an item in its directory, so that no item is copied.
  private typealias Entry = UnsafePointer<FileTree.Children.Entry>

  /// The backup rules for the container whose items are being decided on.
  private var rules: ContainerRules
  private let rulesBeside: (ContainerPath.Component) -> ContainerRules
  /// The marks that keep an item out.
  let marks: ExclusionMark
  /// The marks that would keep an item out if the system did not ignore them.
  let ignoredMarks: ExclusionMark
  private let children: FileTree.Children
  private(set) var decisions: DecisionTable

  init(
    rules: ContainerRules, marks: ExclusionMark, ignoredMarks: ExclusionMark,
    children: FileTree.Children, rulesBeside: @escaping (ContainerPath.Component) -> ContainerRules
  ) {
    self.rules = rules
    self.rulesBeside = rulesBeside
    self.marks = marks
    self.ignoredMarks = ignoredMarks
    self.children = children
    self.decisions = DecisionTable(children)
  }

  mutating func decideAll() {
    let top = Folder(children: children)
    forEachEntry(of: top) { pass, entry, ordinal in
      if entry.pointee.item.isDirectory, entry.pointee.name.isContainer {
        pass.decideContainer(entry, ordinal, of: top)
      } else {
        pass.decideAtTop(entry, ordinal, of: top)
      }
    }
  }

  mutating func leaveAllOut() {
    let top = Folder(children: children)
    forEachEntry(of: top) { pass, entry, ordinal in
      pass.leaveOut(entry, ordinal, of: top, .switchedOff, below: .switchedOff)
    }
  }

  private mutating func decideAtTop(_ entry: Entry, _ ordinal: Int, of folder: Folder) {
    let path = folder.path(of: entry.pointee.name)
    if let reason = rules.reasonAtTop(path) {
      leaveOut(entry, ordinal, of: folder, reason, below: reason)
    } else {
      decide(entry, ordinal, of: folder)
    }
  }

  /// Includes a container beside the app's own, and decides on its items by the rules for its kind.
  private mutating func decideContainer(_ entry: Entry, _ ordinal: Int, of top: Folder) {
    let outer = rules
    rules = rulesBeside(entry.pointee.name)
    defer { rules = outer }
    guard entry.pointee.item.attributes.marks.isDisjoint(with: marks) else {
      return decide(entry, ordinal, of: top)
    }
    decisions.append(
      .included(despite: entry.pointee.item.attributes.marks.intersection(ignoredMarks)))
    enter(entry, ordinal, of: top) { pass, inner, ordinal, folder in
      pass.decideAtTop(inner, ordinal, of: folder)
    }
  }

  private mutating func decide(_ entry: Entry, _ ordinal: Int, of folder: Folder) {
    if folder.depth <= rules.deepestPlace,
      let place = rules.places[folder.path(of: entry.pointee.name)]
    {
      leaveOut(entry, ordinal, of: folder, place, below: place)
    } else if !entry.pointee.item.attributes.marks.isDisjoint(with: marks) {
      let mark = entry.pointee.item.attributes.marks.intersection(marks)
      leaveOut(
        entry, ordinal, of: folder, .ownMark(mark),
        below: .markedDirectory(folder.path(of: entry.pointee.name)))
    } else if let reason = itemReason(of: entry, in: folder) {
      leaveOut(entry, ordinal, of: folder, reason, below: reason)
    } else {
      decisions.append(
        .included(despite: entry.pointee.item.attributes.marks.intersection(ignoredMarks)))
      enter(entry, ordinal, of: folder) { pass, inner, ordinal, folder in
        pass.decide(inner, ordinal, of: folder)
      }
    }
  }

  /// Leaves an item out, and leaves out all items in it for the reason `below`.
  private mutating func leaveOut(
    _ entry: Entry, _ ordinal: Int, of folder: Folder,
    _ reason: BackupSet.LeftOutReason, below: BackupSet.LeftOutReason
  ) {
    decisions.append(.leftOut(reason))
    enter(entry, ordinal, of: folder) { pass, inner, ordinal, folder in
      let reason = pass.inheritedReason(below, of: inner.pointee.name, in: folder)
      pass.leaveOut(inner, ordinal, of: folder, reason, below: below)
    }
  }

  private mutating func enter(
    _ entry: Entry, _ ordinal: Int, of folder: Folder,
    _ body: (inout BackupPass, Entry, Int, Folder) -> Void
  ) {
    guard case .directory(let children) = entry.pointee.item.kind else { return }
    let name = entry.pointee.name
    let inner = Folder(
      path: folder.path(of: name), depth: folder.depth + 1, children: children,
      namesCookies: folder.namesCookies || SystemProfile.RemnantPattern.namesCookies(name))
    decisions.enter(children, at: folder.path(of: name), ordinal: ordinal)
    forEachEntry(of: inner) { pass, entry, ordinal in body(&pass, entry, ordinal, inner) }
    decisions.leave()
  }

  private mutating func forEachEntry(
    of folder: Folder, _ body: (inout BackupPass, Entry, Int) -> Void
  ) {
    var ordinal = 0
    folder.children.list.forEachChunk { entries in
      entries.withUnsafeBufferPointer { entries in
        guard let first = entries.baseAddress else { return }
        for place in first..<first + entries.count {
          body(&self, place, ordinal)
          ordinal += 1
        }
      }
    }
  }

  /// Returns the reason for an item in a directory that is left out. It is the directory's reason,
  /// but a path that is too long has its own length.
  private func inheritedReason(
    _ reason: BackupSet.LeftOutReason, of name: ContainerPath.Component, in folder: Folder
  ) -> BackupSet.LeftOutReason {
    guard case .pathTooLong = reason else { return reason }
    return .pathTooLong(bytes: deviceLength(of: name, in: folder))
  }

  /// Returns the length in bytes of an item's path on a device.
  private func deviceLength(of name: ContainerPath.Component, in folder: Folder) -> Int {
    rules.containerPathLength + folder.pathLength(of: name)
  }

  /// Returns the reason in the item itself to leave it out: its kind, its name or the length of its
  /// path. Returns nil for most items.
  private func itemReason(of entry: Entry, in folder: Folder) -> BackupSet.LeftOutReason? {
    let length = deviceLength(of: entry.pointee.name, in: folder)
    if length >= rules.skippedPathLength { return .pathTooLong(bytes: length) }
    switch entry.pointee.item.kind {
    case .file: return reasonOfFile(entry.pointee.name, in: folder)
    case .special: return .specialFile
    case .unreadable(let reason): return .unreadable(reason)
    case .directory, .link: return nil
    }
  }

  private func reasonOfFile(
    _ name: ContainerPath.Component, in folder: Folder
  ) -> BackupSet.LeftOutReason? {
    if rules.remnants.contains(where: { $0.matches(name, inCookies: folder.namesCookies) }) {
      return .saveRemnant
    }
    guard rules.storesDatabasesWhole, let database = name.databaseName,
      case .file(let information) = folder.children[database]?.kind, information.isDatabase
    else { return nil }
    return .databaseSibling(of: folder.path(of: database))
  }

  /// A directory whose items are being decided on, or the whole container.
  struct Folder {
    /// The path of the directory, or nil for the container.
    var path: ContainerPath?
    /// The number of components in the paths of the directory's items.
    var depth = 1
    let children: FileTree.Children
    /// True if a name in the path makes each `.dat` file in the directory a remnant.
    var namesCookies = false

    func path(of name: ContainerPath.Component) -> ContainerPath {
      ContainerPath(name, in: path)
    }

    func pathLength(of name: ContainerPath.Component) -> Int {
      (path.map { $0.bytes.count + 1 } ?? 0) + name.count
    }
  }
}

/// The backup rules for one container. Places are paths in a tree that may have several containers.
struct ContainerRules {
  /// The topmost items that backups hold; nil for all items.
  private let roots: [ContainerPath]?
  /// The places that are left out, each with its reason.
  let places: [ContainerPath: BackupSet.LeftOutReason]
  /// The number of components of the deepest of these places.
  let deepestPlace: Int
  let remnants: [SystemProfile.RemnantPattern]
  /// True if the files that SQLite keeps beside a database are stored as part of the database.
  let storesDatabasesWhole: Bool
  /// The number of bytes by which a path is longer on a device than in the tree. The name of a
  /// container beside the app's own is subtracted, because only the path in the tree has it.
  let containerPathLength: Int
  /// The length in bytes of the shortest path on a device that backups skip.
  let skippedPathLength: Int
  private let bundleIsInContainer: Bool

  /// Creates the rules from a policy. `bundleIsInContainer` is true if a `.app` at the top is the
  /// app's bundle.
  init(
    policy: SystemProfile.BackupPolicy, of name: ContainerPath.Component? = nil,
    bundleIsInContainer: Bool = false
  ) {
    var places: [ContainerPath: BackupSet.LeftOutReason] = [:]
    for location in policy.locations.map({ ContainerPath($0.value, inContainer: name) }) {
      places[location] = .location(location)
    }
    for place in policy.systemManaged.map({ ContainerPath($0.value, inContainer: name) }) {
      places[place] = .systemManaged(place)
    }
    self.roots = policy.roots.value?.map { ContainerPath($0, inContainer: name) }
    self.places = places
    self.deepestPlace = places.keys.map(\.components.count).max() ?? 0
    self.remnants = policy.remnants.value
    self.storesDatabasesWhole = policy.storesDatabasesWhole.value
    self.containerPathLength = policy.containerPathLength.value - (name.map { $0.count + 1 } ?? 0)
    self.skippedPathLength = policy.skippedPathLength.value
    self.bundleIsInContainer = bundleIsInContainer
  }

  /// Returns the reason why backups do not hold an item at the top of the container, or nil.
  func reasonAtTop(_ path: ContainerPath) -> BackupSet.LeftOutReason? {
    guard places[path] == nil else { return nil }
    if bundleIsInContainer, path.name.hasSuffix(".app") { return .bundle(path) }
    guard let roots, !roots.contains(path) else { return nil }
    return .outsideRoots(path)
  }
}
