import BackupCollections
public import BackupFileTree

/// Predicts what a backup holds: a pure function of a tree and a profile.
///
/// Where the backup goes makes no difference, since every ``SystemProfile/BackupKind`` follows the
/// same public marks; but where the user has switched the app's backup off, it holds nothing.
///
/// Containers of groups and extensions that the tree has beside the app's own, as `group.x:`, are
/// decided on by the rules of their kind. Whether the user's switch is for them too is
/// `unverified`: nothing of them is in the backup then.
///
/// ```swift
/// let set = BackupSimulator(profile: profile).backUp(try container.scan())
/// set.decision(on: movie)?.reason  // own mark
/// ```
public struct BackupSimulator: Sendable {
  /// The version of iOS that backs up.
  public let profile: SystemProfile
  /// Which container the tree is of, but for those beside it.
  public let container: SystemProfile.ContainerKind
  /// Where the backup goes, which decides what it may hold.
  public let backups: SystemProfile.BackupKind

  /// A simulator of one system.
  ///
  /// - Parameters:
  ///   - profile: The version of iOS that backs up.
  ///   - container: Which of an app's containers the tree is of.
  ///   - backups: Where the backup goes.
  public init(
    profile: SystemProfile, container: SystemProfile.ContainerKind = .app,
    backups: SystemProfile.BackupKind = .iCloud
  ) {
    self.profile = profile
    self.container = container
    self.backups = backups
  }

  /// Decides for every item, in time linear in their number.
  ///
  /// - Parameter tree: The container as it is when the backup is taken.
  /// - Returns: The decisions, each with its reason.
  public func backUp(_ tree: FileTree) -> BackupSet {
    let rules = BackupRules(
      policy: profile.backupPolicy(for: container),
      bundleIsInContainer: container == .app && profile.bundleIsInContainer.value)
    var pass = BackupPass(
      rules: rules, marks: profile.effectiveMarks,
      ignoredMarks: profile.honouredMarks.value.subtracting(profile.effectiveMarks),
      children: tree.children
    ) { name in
      BackupRules(policy: profile.backupPolicy(for: SystemProfile.ContainerKind(name)), of: name)
    }
    if backups == .off { pass.leaveAllOut() } else { pass.decideAll() }
    return BackupSet(pass.decisions)
  }
}

/// One walk over a tree that decides for every item.
struct BackupPass {
  /// An item where it is in its directory, for nothing of most items need be copied.
  private typealias Entry = UnsafePointer<FileTree.Children.Entry>

  /// What the backups of this system hold of the container whose items are decided on.
  private var rules: BackupRules
  private let rulesBeside: (ContainerPath.Component) -> BackupRules
  /// The marks that keep an item out.
  let marks: ExclusionMark
  /// The marks that would, were guidance not ignored.
  let ignoredMarks: ExclusionMark
  private let children: FileTree.Children
  private(set) var decisions: DecisionTable

  init(
    rules: BackupRules, marks: ExclusionMark, ignoredMarks: ExclusionMark,
    children: FileTree.Children, rulesBeside: @escaping (ContainerPath.Component) -> BackupRules
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

  /// Puts a container beside the app's into the backup and decides for its items by the rules of
  /// its kind.
  private mutating func decideContainer(_ entry: Entry, _ ordinal: Int, of top: Folder) {
    let outer = rules
    rules = rulesBeside(entry.pointee.name)
    defer { rules = outer }
    guard entry.pointee.item.attributes.marks.isDisjoint(with: marks) else {
      return decide(entry, ordinal, of: top)
    }
    decisions.append(
      .included(despite: entry.pointee.item.attributes.marks.intersection(ignoredMarks)))
    goInto(entry, ordinal, of: top) { pass, inner, ordinal, folder in
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
    } else if let reason = reasonOfItsOwn(entry, in: folder) {
      leaveOut(entry, ordinal, of: folder, reason, below: reason)
    } else {
      decisions.append(
        .included(despite: entry.pointee.item.attributes.marks.intersection(ignoredMarks)))
      goInto(entry, ordinal, of: folder) { pass, inner, ordinal, folder in
        pass.decide(inner, ordinal, of: folder)
      }
    }
  }

  /// Leaves an item out, and all in it for the reason `below`.
  private mutating func leaveOut(
    _ entry: Entry, _ ordinal: Int, of folder: Folder,
    _ reason: BackupSet.LeftOutReason, below: BackupSet.LeftOutReason
  ) {
    decisions.append(.leftOut(reason))
    goInto(entry, ordinal, of: folder) { pass, inner, ordinal, folder in
      let own = pass.ownReason(below, of: inner.pointee.name, in: folder)
      pass.leaveOut(inner, ordinal, of: folder, own, below: below)
    }
  }

  private mutating func goInto(
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

  /// What a directory's reason is for an item inside: each too long path has its own length.
  private func ownReason(
    _ reason: BackupSet.LeftOutReason, of name: ContainerPath.Component, in folder: Folder
  ) -> BackupSet.LeftOutReason {
    guard case .pathTooLong = reason else { return reason }
    return .pathTooLong(bytes: deviceLength(of: name, in: folder))
  }

  /// How many bytes the path of an item has on a device.
  private func deviceLength(of name: ContainerPath.Component, in folder: Folder) -> Int {
    rules.containerPathLength + folder.pathLength(of: name)
  }

  /// Why an item is left out by what it is, not where; nil for most.
  private func reasonOfItsOwn(_ entry: Entry, in folder: Folder) -> BackupSet.LeftOutReason? {
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

  /// A directory whose items are being decided on, or the container.
  struct Folder {
    /// Where it is, nil for the container.
    var path: ContainerPath?
    /// How many components the paths of its items have.
    var depth = 1
    let children: FileTree.Children
    /// Whether its path makes a `.dat` file in it a remnant.
    var namesCookies = false

    func path(of name: ContainerPath.Component) -> ContainerPath {
      ContainerPath(name, in: path)
    }

    func pathLength(of name: ContainerPath.Component) -> Int {
      (path.map { $0.bytes.count + 1 } ?? 0) + name.count
    }
  }
}

/// What backups hold of one container, with the places as the paths of a tree that has several.
struct BackupRules {
  /// The topmost items that backups begin at; nil for all.
  private let roots: [ContainerPath]?
  /// The places left out, with the reason each gives.
  let places: [ContainerPath: BackupSet.LeftOutReason]
  /// How many components the deepest of those places has.
  let deepestPlace: Int
  /// How files are called that unfinished saves leave behind.
  let remnants: [SystemProfile.RemnantPattern]
  /// Whether what SQLite keeps beside a database is stored with that.
  let storesDatabasesWhole: Bool
  /// How many bytes a path has more on a device than in the tree; fewer where it names the
  /// container.
  let containerPathLength: Int
  /// The shortest path on a device that is skipped, in bytes.
  let skippedPathLength: Int
  private let bundleIsInContainer: Bool

  /// The rules of a policy for a container; `bundleIsInContainer` if a `.app` at the top is the
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

  /// Why an item at the container's top is outside of what backups hold, or nil.
  func reasonAtTop(_ path: ContainerPath) -> BackupSet.LeftOutReason? {
    guard places[path] == nil else { return nil }
    if bundleIsInContainer, path.name.hasSuffix(".app") { return .bundle(path) }
    guard let roots, !roots.contains(path) else { return nil }
    return .outsideRoots(path)
  }
}
