import BackupDevice
import BackupFileTree
import BackupScenarios

/// The moments of a run as far as it has come, with what is needed to follow it further.
///
/// It is a value: runs that begin alike share what was followed of their beginning.
struct RunMoments {
  /// The moments so far.
  private(set) var moments: [RunHistory.Moment] = []
  /// The indices in the transcript of what happens at the moments.
  private(set) var entryIndices: [Int] = []
  /// See ``RunHistory/remnants``.
  private(set) var remnants: Set<ContainerPath> = []
  /// The classes of the files so far.
  private(set) var classes: PromisedClasses
  /// What the app owes each item.
  private(set) var ledger = ItemLedger()
  /// How many entries of the transcript were followed.
  private(set) var count = 0
  /// What happened last; nil for nothing.
  private var last: Transcript.Entry?
  /// Whether the app has run since it was restored, updated or put on another system.
  private(set) var hasAppRun = true

  /// A run that has yet to begin.
  ///
  /// - Parameter transcript: The run; of its entries none is looked at.
  init(_ transcript: Transcript) {
    self.classes = PromisedClasses(transcript.scenario.files)
    ledger.begin(with: transcript.firstTree)
  }

  /// Follows what has happened since.
  ///
  /// - Parameter transcript: The run, which begins as what was followed.
  mutating func follow(_ transcript: Transcript) {
    var tree = transcript.tree(before: count)
    for index in transcript.entries.indices[count...] {
      let entry = transcript.entries[index]
      follow(entry, at: index, before: tree, in: transcript)
      tree = entry.tree
    }
    count = transcript.entries.count
  }

  /// Follows what happened.
  private mutating func follow(
    _ entry: Transcript.Entry, at index: Int, before tree: FileTree, in transcript: Transcript
  ) {
    let event = entry.event
    ledger.follow(entry, before: tree)
    switch event {
    case .killed(let kill):
      noteRemnants(
        in: entry.tree, since: transcript.tree(before: kill.entryCount),
        at: transcript.entries[kill.entryCount..<index].flatMap(\.event.touchedPaths))
    case .changes(let changes) where !remnants.isEmpty:
      for change in changes { remnants.formUnion(change.carried(remnants, in: entry.tree)) }
    default: break
    }
    if event.isBySystem {
      entryIndices.append(index)
      add(
        event, at: entry.step, tree,
        event.isSystemUpdate ? system(before: entry, in: transcript) : entry.profile,
        hasAppRun: event.isNewToApp ? hasAppRun : entry.hasAppRun)
    }
    hasAppRun = entry.hasAppRun
    last = entry
  }

  /// The system before an update of it.
  private func system(before entry: Transcript.Entry, in transcript: Transcript) -> SystemProfile {
    last?.profile ?? SystemProfile.all.first { $0.version == transcript.variant.system }
      ?? entry.profile
  }

  /// Adds the end of a run that was followed, unless nothing happened in it.
  mutating func end(_ transcript: Transcript) {
    guard let last = transcript.entries.last else { return }
    entryIndices.append(transcript.entries.count)
    add(nil, at: last.step, last.tree, last.profile, hasAppRun: hasAppRun)
  }

  /// Adds a moment.
  private mutating func add(
    _ event: Transcript.Event?, at step: Scenario.StepReference, _ tree: FileTree,
    _ profile: SystemProfile, hasAppRun: Bool
  ) {
    moments.append(
      RunHistory.Moment(
        event: event, step: step, tree: tree, profile: profile, ledger: ledger,
        promisedFiles: classes.files(in: tree).without(ledger.placed, remnants),
        hasAppRun: hasAppRun))
  }

  /// Notes the files that atomic saves had written, and not renamed yet, when the app was killed:
  /// nobody's data.
  ///
  /// - Parameters:
  ///   - tree: The container after the kill.
  ///   - former: The one before the operation that was cut short.
  ///   - places: The only items that may differ.
  private mutating func noteRemnants(
    in tree: FileTree, since former: FileTree, at places: [ContainerPath]
  ) {
    tree.forEachFile(changedSince: former, in: places.topmost) { path, _, isThere in
      if isThere, SystemProfile.RemnantPattern.atomicSave.matches(path) { remnants.insert(path) }
    }
    if !remnants.isEmpty { moments = moments.map { $0.without(remnants) } }
  }
}

extension FileTree.Change {
  /// Where what unfinished saves had left is now, or a copy of it, by a change that takes a folder
  /// along.
  ///
  /// - Parameters:
  ///   - remnants: Where it was.
  ///   - tree: The container after the change.
  /// - Returns: The files, none where no folder is moved or copied that holds any.
  fileprivate func carried(
    _ remnants: Set<ContainerPath>, in tree: FileTree
  ) -> [ContainerPath] {
    switch self {
    case .moved(let source, to: let path), .copied(let source, to: let path):
      tree.paths(from: path).filter { found in
        SystemProfile.RemnantPattern.atomicSave.matches(found)
          && found.moved(from: path, to: source).map(remnants.contains) == true
      }
    default: []
    }
  }
}

extension Transcript {
  /// The container before one of the entries.
  fileprivate func tree(before index: Int) -> FileTree { entries[..<index].last?.tree ?? firstTree }
}

extension Transcript.Event {
  /// The items that the app may have changed, each with all in it.
  var touchedPaths: [ContainerPath] {
    if case .changes(let changes) = self { changes.flatMap(\.touchedPaths) } else { [] }
  }

  /// Whether the device goes to a later system.
  fileprivate var isSystemUpdate: Bool {
    if case .systemUpdate = self { true } else { false }
  }

  /// Whether it gives the app another container or another system, before it could run there.
  fileprivate var isNewToApp: Bool {
    switch self {
    case .appUpdate, .systemUpdate, .restore, .reinstall: true
    default: false
    }
  }
}

extension [ContainerPath] {
  /// Those that are in no other of them, in the order of a walk.
  var topmost: [ContainerPath] {
    var tops: [ContainerPath] = []
    for path in sorted(by: { $0.precedesInWalk($1) }) where tops.last?.covers(path) != true {
      tops.append(path)
    }
    return tops
  }
}
