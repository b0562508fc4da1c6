import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupFileTree
package import BackupScenarios

/// A run as rules look at it: the moments at which the system acts, and what the app owed then.
package struct RunHistory: Sendable {
  /// A moment at which the system acts, or the end.
  final class Moment: Sendable {
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

    /// A moment.
    init(
      event: Transcript.Event?, step: Scenario.StepReference, tree: FileTree,
      profile: SystemProfile, ledger: ItemLedger, promisedFiles: [PromisedFile], hasAppRun: Bool
    ) {
      self.event = event
      self.step = step
      self.tree = tree
      self.profile = profile
      self.ledger = ledger
      self.promisedFiles = promisedFiles
      self.hasAppRun = hasAppRun
    }

    /// The same moment without files that turned out to be nobody's.
    func without(_ remnants: Set<ContainerPath>) -> Moment {
      Moment(
        event: event, step: step, tree: tree, profile: profile, ledger: ledger,
        promisedFiles: promisedFiles.filter { !remnants.contains($0.path) }, hasAppRun: hasAppRun)
    }

    /// Whether a mark that the system has, on an item or a directory above it, is not followed.
    func ignoresMark(of path: ContainerPath) -> Bool {
      profile.guidance == .ignored
        && (path.ancestors + [path]).contains {
          tree[$0]?.marks.isDisjoint(with: profile.honouredMarks.value) == false
        }
    }
  }

  /// The run.
  package let transcript: Transcript
  /// What rules remember of the run before the part that they look at; most look at all of it.
  let start: RunMemory
  /// Whether they look at the end too, which a run that broke off has not.
  let isAtEnd: Bool
  /// The moments of the part, by their indices in the run; the end last.
  let moments: ArraySlice<Moment>
  /// The files that saves were writing when the app was killed, which are nobody's data.
  let remnants: Set<ContainerPath>
  /// The indices in the transcript of what happens at the moments; the end's is behind the last.
  private let entryIndices: [Int]
  /// The class of every file and link there ever was.
  let classes: PromisedClasses

  /// Follows what an app owes through a run, from its first step to its last.
  package init(_ transcript: Transcript) {
    var moments = RunMoments(transcript)
    moments.follow(transcript)
    self.init(
      transcript, moments, since: RunMemory(transcript), isAtEnd: transcript.failure == nil)
  }

  /// A run that was followed as far as it goes.
  ///
  /// - Parameters:
  ///   - transcript: The run.
  ///   - followed: Its moments.
  ///   - start: Where the part begins that rules are to look at.
  ///   - isAtEnd: Whether they are to look at the end too.
  init(
    _ transcript: Transcript, _ followed: RunMoments, since start: RunMemory, isAtEnd: Bool
  ) {
    var followed = followed
    if isAtEnd { followed.end(transcript) }
    self.transcript = transcript
    self.start = start
    self.isAtEnd = isAtEnd
    self.moments = followed.moments[start.momentCount...]
    self.remnants = followed.remnants
    self.entryIndices = followed.entryIndices
    self.classes = followed.classes
  }

  /// What happened in the part that rules look at, by its indices in the transcript.
  var entries: ArraySlice<Transcript.Entry> { transcript.entries[start.entryCount...] }

  /// What happened in it, each with its index.
  var indexedEntries: Zip2Sequence<Range<Int>, ArraySlice<Transcript.Entry>> {
    zip(entries.indices, entries)
  }

  /// The moments, each with its index.
  var indexedMoments: Zip2Sequence<Range<Int>, ArraySlice<Moment>> { zip(moments.indices, moments) }

  /// The scenario that ran.
  var scenario: Scenario { transcript.scenario }

  /// The index of the first moment after something in the transcript.
  func moment(after entryIndex: Int) -> Int {
    entryIndices.partitioningIndex { $0 > entryIndex }
  }

  /// The moments at whose backups hold some items, by the item, in order.
  func holders(of paths: Set<ContainerPath>) -> [ContainerPath: [Int]] {
    var holders: [ContainerPath: [Int]] = [:]
    for (index, moment) in indexedMoments {
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
  var criticalPaths: Set<ContainerPath> { classes.criticalPaths }

  /// The class that the app promised of a path, be anything there or not; nil for none.
  func promisedClass(of path: ContainerPath) -> DataClass? { classes.promisedClass(of: path) }
}

extension [String] {
  /// Labels of backups in a sentence: `the backup "a"`, `the backups "a" and "b"`.
  var asBackups: String { "the \(count.form("backup")) \(joinedInWords)" }
}
