import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupFileTree
package import BackupScenarios

/// A run as rules look at it: the moments at which the system acts, and what the app owed then.
package struct RunHistory: Sendable {
  /// A moment at which the system acts, or the end.
  struct Moment: Sendable {
    /// What the system does; nil at the end.
    let event: Transcript.Event?
    /// The step at which it does.
    let step: Scenario.StepReference
    /// The container that it finds.
    let tree: FileTree
    /// The system; for an update of it the one before, under which the app ran.
    let profile: SystemProfile
    /// What the app owes each item.
    let ledger: ItemLedger
    /// The files and links in the container that are the app's, each with the class that it promised,
    /// if any; none for a scenario without `files`.
    let promisedFiles: [PromisedFile]

    /// Whether the app has run since it was restored, updated or put on another system; before that
    /// it could not put anything right.
    let hasAppRun: Bool

    /// The backup that is taken, where the app is to blame for what it holds; nil for anything else.
    var backup: Transcript.Event.Backup? { hasAppRun ? event?.backup : nil }

    /// Whether a mark that the system has, on an item or a directory above it, is not followed.
    func ignoresMark(of path: ContainerPath) -> Bool {
      profile.guidance == .ignored
        && (path.ancestors + [path]).contains {
          tree[$0]?.marks.isDisjoint(with: profile.honouredMarks.value) == false
        }
    }
  }

  /// The run that is followed.
  package let transcript: Transcript
  /// The moments, the end last; a run that broke off has no end.
  let moments: [Moment]
  /// The files that saves were writing when the app was killed, which are nobody's data.
  let remnants: Set<ContainerPath>
  /// The indices in the transcript of what happens at the moments; the end's is behind the last.
  private let entryIndices: [Int]
  /// The class of every file and link there ever was.
  private let classes: PromisedClasses

  /// Follows what an app owes through a run, from its first step to its last.
  package init(_ transcript: Transcript) {
    let remnants = transcript.saveRemnants
    var ledger = ItemLedger()
    ledger.begin(with: transcript.firstTree)
    var classes = PromisedClasses(transcript.scenario.files)
    var tree = transcript.firstTree
    var moments: [Moment] = []
    var entryIndices: [Int] = []
    var profile = SystemProfile.all.first { $0.version == transcript.variant.system }
    var hasAppRun = true
    for (index, entry) in transcript.entries.enumerated() {
      ledger.follow(entry, before: tree)
      if entry.event.isBySystem {
        entryIndices.append(index)
        moments.append(
          Moment(
            event: entry.event, step: entry.step, tree: tree,
            profile: entry.event.isSystemUpdate ? profile ?? entry.profile : entry.profile,
            ledger: ledger,
            promisedFiles: classes.files(in: tree).without(ledger.placed, remnants),
            hasAppRun: entry.event.isNewToApp ? hasAppRun : entry.hasAppRun))
      }
      hasAppRun = entry.hasAppRun
      profile = entry.profile
      tree = entry.tree
    }
    if let last = transcript.entries.last, transcript.failure == nil {
      entryIndices.append(transcript.entries.count)
      moments.append(
        Moment(
          event: nil, step: last.step, tree: tree, profile: last.profile, ledger: ledger,
          promisedFiles: classes.files(in: tree).without(ledger.placed, remnants),
          hasAppRun: hasAppRun))
    }
    self.transcript = transcript
    self.moments = moments
    self.remnants = remnants
    self.entryIndices = entryIndices
    self.classes = classes
  }

  /// The scenario that ran.
  var scenario: Scenario { transcript.scenario }

  /// The index of the first moment after something in the transcript.
  func moment(after entryIndex: Int) -> Int {
    entryIndices.partitioningIndex { $0 > entryIndex }
  }

  /// The moments at whose backups hold some items, by the item, in order.
  func holders(of paths: Set<ContainerPath>) -> [ContainerPath: [Int]] {
    var holders: [ContainerPath: [Int]] = [:]
    for (index, moment) in moments.enumerated() {
      guard let set = moment.backup?.set else { continue }
      // Few items are looked up, many are met on the way through the decisions.
      if paths.count < set.decisions.count / 16 {
        for path in paths where set.contains(path) { holders[path, default: []].append(index) }
      } else {
        for decision in set.decisions where decision.isIncluded && paths.contains(decision.path) {
          holders[decision.path, default: []].append(index)
        }
      }
    }
    return holders
  }

  /// The labels of the backups at some moments, quoted.
  func labels(of moments: some Sequence<Int>) -> [String] {
    moments.compactMap { self.moments[$0].backup }.map { "\"\(EscapedText.escape($0.label))\"" }
  }

  /// The files and links that the app promised to be critical, in no order.
  var criticalPaths: [ContainerPath] {
    classes.known.compactMap { path, dataClass in dataClass == .critical ? path : nil }
  }

  /// The class that the app promised of a file or link, if any.
  func dataClass(of path: ContainerPath) -> DataClass? { classes.known[path] ?? nil }

  /// The class that the app promised of a path, be anything there or not; nil for none.
  func promisedClass(of path: ContainerPath) -> DataClass? {
    classes.known[path] ?? scenario.files?.dataClass(of: path)
  }
}

/// A file or link and what the app promised of it.
struct PromisedFile {
  /// Where it is in the container.
  let path: ContainerPath
  /// Its class; nil where no pattern names it.
  let dataClass: DataClass?
}

extension [PromisedFile] {
  /// The files that the app has written, of those of which the system put some there, and some are
  /// what is left of unfinished saves.
  fileprivate func without(
    _ placed: SortedMap<ContainerPath, Scenario.StepReference>, _ remnants: Set<ContainerPath>
  ) -> [PromisedFile] {
    placed.isEmpty && remnants.isEmpty
      ? self : filter { placed[$0.path] == nil && !remnants.contains($0.path) }
  }
}

/// What an app promised of the files it meets in a run, each asked for once.
private struct PromisedClasses {
  /// What it promised; nil for nothing.
  private let promises: FilePromises?
  /// The classes of the files so far.
  private(set) var known: [ContainerPath: DataClass?] = [:]
  /// The container whose files were asked for last.
  private var latestTree = FileTree()
  /// Those files.
  private var latestFiles: [PromisedFile] = []

  /// Takes what an app promised.
  init(_ promises: FilePromises?) {
    self.promises = promises
  }

  /// The files and links in a container; those of the same one as before are not looked for again.
  mutating func files(in tree: FileTree) -> [PromisedFile] {
    guard let promises, tree != latestTree else { return latestFiles }
    var files: [PromisedFile] = []
    tree.walk { path, item in
      guard !item.isDirectory else { return true }
      let dataClass = known[path] ?? promises.dataClass(of: path)
      known[path] = .some(dataClass)
      files.append(PromisedFile(path: path, dataClass: dataClass))
      return true
    }
    (latestTree, latestFiles) = (tree, files)
    return files
  }
}

extension Transcript {
  /// The files that atomic saves had written, and not renamed yet, when the app was killed: nobody's
  /// data.
  fileprivate var saveRemnants: Set<ContainerPath> {
    var remnants: Set<ContainerPath> = []
    for entry in entries {
      guard case .killed(let kill) = entry.event else { continue }
      let former = entries[..<kill.entryCount].last?.tree ?? firstTree
      entry.tree.forEachFile(changedSince: former, in: nil) { path, _, isThere in
        if isThere, SystemProfile.RemnantPattern.atomicSave.matches(path) { remnants.insert(path) }
      }
    }
    return remnants
  }
}

extension Transcript.Event {
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

extension [String] {
  /// Labels of backups in a sentence: `the backup "a"`, `the backups "a" and "b"`.
  var asBackups: String { "the \(count.form("backup")) \(joinedInWords)" }
}
