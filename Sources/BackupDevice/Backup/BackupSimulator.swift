import BackupCollections
public import BackupFileTree

/// Predicts the contents of a backup: a pure function of a tree and a profile.
///
/// All kinds of backup hold the same items, because all honor the same marks. Only
/// ``SystemProfile/BackupKind/off`` differs: this backup is empty, because the user has switched
/// off the app's backup.
///
/// The tree may also have containers of groups and extensions, such as `group.x:`. Each container
/// follows the backup rules for its kind. The kit assumes that the user's switch also applies to
/// these containers (`unverified`).
///
/// ```swift
/// let set = BackupSimulator(profile: profile).backUp(try container.scan())
/// set.decision(on: movie)?.reason  // own mark
/// ```
public struct BackupSimulator: Sendable {
  /// The profile of the version of iOS that is simulated.
  public let profile: SystemProfile
  /// The kind of the container at the root of the tree. Containers such as `group.x:` have their
  /// own kinds.
  public let container: SystemProfile.ContainerKind
  /// The kind of backup. If it is ``SystemProfile/BackupKind/off``, the backup is empty.
  public let backups: SystemProfile.BackupKind

  /// Creates a simulator of backups under one version of iOS.
  ///
  /// - Parameters:
  ///   - profile: The profile of the version of iOS that is simulated.
  ///   - container: The kind of the container at the root of the tree.
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
      rules: rules, effectiveMarks: profile.effectiveMarks,
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
  /// A pointer to an item of a directory, so that the walk does not copy the item.
  private typealias Entry = UnsafePointer<FileTree.Children.Entry>

  /// The backup rules for the container that the walk is in.
  private var rules: ContainerRules
  /// Returns the backup rules for the group or extension container with a name.
  private let rulesForContainer: (ContainerPath.Component) -> ContainerRules
  /// The marks that keep an item out of the backup.
  let effectiveMarks: ExclusionMark
  /// The marks that would keep an item out of the backup if the system did not ignore them.
  let ignoredMarks: ExclusionMark
  private let children: FileTree.Children
  private(set) var decisions: DecisionTable

  init(
    rules: ContainerRules, effectiveMarks: ExclusionMark, ignoredMarks: ExclusionMark,
    children: FileTree.Children,
    rulesForContainer: @escaping (ContainerPath.Component) -> ContainerRules
  ) {
    self.rules = rules
    self.rulesForContainer = rulesForContainer
    self.effectiveMarks = effectiveMarks
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

  /// Decides on a group's or an extension's container and the items in it, by the rules for its
  /// kind. The container is in the backup unless it has a mark.
  private mutating func decideContainer(_ entry: Entry, _ ordinal: Int, of top: Folder) {
    let previousRules = rules
    rules = rulesForContainer(entry.pointee.name)
    defer { rules = previousRules }
    guard entry.pointee.item.attributes.marks.isDisjoint(with: effectiveMarks) else {
      return decide(entry, ordinal, of: top)
    }
    decisions.append(
      .included(despite: entry.pointee.item.attributes.marks.intersection(ignoredMarks)))
    enter(entry, ordinal, of: top) { pass, innerEntry, ordinal, folder in
      pass.decideAtTop(innerEntry, ordinal, of: folder)
    }
  }

  private mutating func decide(_ entry: Entry, _ ordinal: Int, of folder: Folder) {
    if folder.depth <= rules.greatestPlaceDepth,
      let reason = rules.reasonsByPlace[folder.path(of: entry.pointee.name)]
    {
      leaveOut(entry, ordinal, of: folder, reason, below: reason)
    } else if !entry.pointee.item.attributes.marks.isDisjoint(with: effectiveMarks) {
      let mark = entry.pointee.item.attributes.marks.intersection(effectiveMarks)
      leaveOut(
        entry, ordinal, of: folder, .ownMark(mark),
        below: .markedDirectory(folder.path(of: entry.pointee.name)))
    } else if let reason = itemReason(of: entry, in: folder) {
      leaveOut(entry, ordinal, of: folder, reason, below: reason)
    } else {
      decisions.append(
        .included(despite: entry.pointee.item.attributes.marks.intersection(ignoredMarks)))
      enter(entry, ordinal, of: folder) { pass, innerEntry, ordinal, folder in
        pass.decide(innerEntry, ordinal, of: folder)
      }
    }
  }

  /// Leaves an item out for `reason`, and leaves out all items in it for `innerReason`.
  private mutating func leaveOut(
    _ entry: Entry, _ ordinal: Int, of folder: Folder,
    _ reason: BackupSet.LeftOutReason, below innerReason: BackupSet.LeftOutReason
  ) {
    decisions.append(.leftOut(reason))
    enter(entry, ordinal, of: folder) { pass, innerEntry, ordinal, folder in
      let reason = pass.inheritedReason(innerReason, of: innerEntry.pointee.name, in: folder)
      pass.leaveOut(innerEntry, ordinal, of: folder, reason, below: innerReason)
    }
  }

  /// If the item is a directory, calls `body` for each item in it.
  private mutating func enter(
    _ entry: Entry, _ ordinal: Int, of folder: Folder,
    _ body: (inout BackupPass, Entry, Int, Folder) -> Void
  ) {
    guard case .directory(let children) = entry.pointee.item.kind else { return }
    let name = entry.pointee.name
    let innerFolder = Folder(
      path: folder.path(of: name), depth: folder.depth + 1, children: children,
      pathContainsCookiesInfix: folder.pathContainsCookiesInfix
        || SystemProfile.RemnantPattern.containsCookiesInfix(name))
    decisions.enter(children, at: folder.path(of: name), ordinal: ordinal)
    forEachEntry(of: innerFolder) { pass, entry, ordinal in
      body(&pass, entry, ordinal, innerFolder)
    }
    decisions.leave()
  }

  /// Calls `body` for each item of a directory, with the item's position in the directory.
  private mutating func forEachEntry(
    of folder: Folder, _ body: (inout BackupPass, Entry, Int) -> Void
  ) {
    var ordinal = 0
    folder.children.chunkedEntries.forEachChunk { entries in
      entries.withUnsafeBufferPointer { entries in
        guard let first = entries.baseAddress else { return }
        for entry in first..<first + entries.count {
          body(&self, entry, ordinal)
          ordinal += 1
        }
      }
    }
  }

  /// Returns the reason to leave out an item in a left-out directory. This is the directory's
  /// reason, but `pathTooLong` has the length of the item's own path.
  private func inheritedReason(
    _ reason: BackupSet.LeftOutReason, of name: ContainerPath.Component, in folder: Folder
  ) -> BackupSet.LeftOutReason {
    guard case .pathTooLong = reason else { return reason }
    return .pathTooLong(bytes: devicePathLength(of: name, in: folder))
  }

  /// Returns the length in bytes of an item's path on a device.
  private func devicePathLength(of name: ContainerPath.Component, in folder: Folder) -> Int {
    rules.containerPathLength + folder.pathLength(of: name)
  }

  /// Returns the reason to leave out an item because of its kind, its name or the length of its
  /// path. Returns nil if there is no such reason.
  private func itemReason(of entry: Entry, in folder: Folder) -> BackupSet.LeftOutReason? {
    let length = devicePathLength(of: entry.pointee.name, in: folder)
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
    if rules.remnants.contains(where: {
      $0.matches(name, inCookiesDirectory: folder.pathContainsCookiesInfix)
    }) {
      return .saveRemnant
    }
    guard rules.storesDatabasesWhole, let database = name.databaseName,
      case .file(let information) = folder.children[database]?.kind, information.isDatabase
    else { return nil }
    return .databaseSibling(of: folder.path(of: database))
  }

  /// A directory of the tree, or the whole container.
  struct Folder {
    /// The path of the directory, or nil for the container.
    var path: ContainerPath?
    /// The number of components in the path of each item in the directory.
    var depth = 1
    let children: FileTree.Children
    /// True if a component of the path contains `binarycookies_tmp`. Each `.dat` file in the
    /// directory is then a remnant.
    var pathContainsCookiesInfix = false

    func path(of name: ContainerPath.Component) -> ContainerPath {
      ContainerPath(name, in: path)
    }

    func pathLength(of name: ContainerPath.Component) -> Int {
      (path.map { $0.bytes.count + 1 } ?? 0) + name.count
    }
  }
}

/// The backup rules for one container. Their paths begin at the root of the tree, for example
/// `group.x:/Library/Caches`.
struct ContainerRules {
  /// The items at the container's top that backups hold, or nil if backups hold all items.
  private let roots: [ContainerPath]?
  /// The reason why each of these places is left out.
  let reasonsByPlace: [ContainerPath: BackupSet.LeftOutReason]
  /// The greatest number of components in a path of `reasonsByPlace`.
  let greatestPlaceDepth: Int
  let remnants: [SystemProfile.RemnantPattern]
  /// True if a backup stores SQLite's files beside a database, such as `-wal`, as part of the
  /// database.
  let storesDatabasesWhole: Bool
  /// The number of bytes by which a path on a device is longer than the path in the tree.
  ///
  /// A prefix such as `group.x:/` is subtracted, because only the path in the tree has it.
  let containerPathLength: Int
  /// Backups skip an item if its path on a device has at least this many bytes.
  let skippedPathLength: Int
  private let bundleIsInContainer: Bool

  /// Creates the rules for a container; `name` is nil for the root of the tree. If
  /// `bundleIsInContainer` is true, an item such as `a.app` at the top is the app's bundle.
  init(
    policy: SystemProfile.BackupPolicy, of name: ContainerPath.Component? = nil,
    bundleIsInContainer: Bool = false
  ) {
    var reasonsByPlace: [ContainerPath: BackupSet.LeftOutReason] = [:]
    for location in policy.locations.map({ ContainerPath($0.value, inContainer: name) }) {
      reasonsByPlace[location] = .location(location)
    }
    for place in policy.systemManaged.map({ ContainerPath($0.value, inContainer: name) }) {
      reasonsByPlace[place] = .systemManaged(place)
    }
    self.roots = policy.roots.value?.map { ContainerPath($0, inContainer: name) }
    self.reasonsByPlace = reasonsByPlace
    self.greatestPlaceDepth = reasonsByPlace.keys.map(\.components.count).max() ?? 0
    self.remnants = policy.remnants.value
    self.storesDatabasesWhole = policy.storesDatabasesWhole.value
    self.containerPathLength = policy.containerPathLength.value - (name.map { $0.count + 1 } ?? 0)
    self.skippedPathLength = policy.skippedPathLength.value
    self.bundleIsInContainer = bundleIsInContainer
  }

  /// Returns `bundle` or `outsideRoots` for an item at the top that backups do not hold. Returns
  /// nil for any other item, and for a path in `reasonsByPlace`.
  func reasonAtTop(_ path: ContainerPath) -> BackupSet.LeftOutReason? {
    guard reasonsByPlace[path] == nil else { return nil }
    if bundleIsInContainer, path.name.hasSuffix(".app") { return .bundle(path) }
    guard let roots, !roots.contains(path) else { return nil }
    return .outsideRoots(path)
  }
}
