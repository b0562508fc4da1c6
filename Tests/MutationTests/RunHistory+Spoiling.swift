import BackupCollections
import BackupContainer
import BackupDevice
import BackupFileTree

@testable import BackupRules
@testable import BackupScenarios

/// A run as wrong rules look at it: the checkpoints, and who put each item there.
struct RunHistory {
  /// The container where the system acts, or at the end.
  struct Moment {
    let event: Transcript.Event?
    let step: Scenario.StepReference
    let tree: FileTree
    let profile: SystemProfile
    let ledger: ItemLedger
    let promisedFiles: [PromisedFile]

    var backup: FakeContainer.Backup? { event?.backup }
  }

  let transcript: Transcript
  private(set) var moments: [Moment] = []

  init(_ transcript: Transcript) {
    self.transcript = transcript
    var classes = PromisedClasses(transcript.scenario.files)
    var ledger = ItemLedger()
    ledger.begin(with: transcript.firstTree, capturedBy: transcript.scenario.start?.reference)
    var tree = transcript.firstTree
    for entry in transcript.entries {
      ledger.record(entry, before: tree)
      if entry.event.isBySystem {
        moments.append(
          Moment(
            event: entry.event, step: entry.step, tree: tree, profile: entry.profile,
            ledger: ledger,
            promisedFiles: classes.files(in: tree)))
      }
      tree = entry.tree
    }
    guard let last = transcript.entries.last else { return }
    moments.append(
      Moment(
        event: nil, step: last.step, tree: tree, profile: last.profile, ledger: ledger,
        promisedFiles: classes.files(in: tree)))
  }

  var scenario: Scenario { transcript.scenario }

  /// The moments at which the backup holds each of some items.
  func holders(of paths: Set<ContainerPath>) -> [ContainerPath: [Int]] {
    var holders: [ContainerPath: [Int]] = [:]
    for (index, moment) in moments.enumerated() {
      for path in paths where moment.backup?.contents.contains(path) == true {
        holders[path, default: []].append(index)
      }
    }
    return holders
  }
}

extension RunHistory {
  /// A mark that the app set.
  struct Marked {
    let step: Scenario.StepReference
    let path: ContainerPath
    let mark: ExclusionMark
    let profile: SystemProfile
    let tree: FileTree
  }

  /// The marks that the app set, in order.
  var marked: [Marked] {
    transcript.entries.flatMap { record -> [Marked] in
      guard case .changes(let changes) = record.event else { return [] }
      return changes.compactMap { change in
        guard case .marked(let path, let mark) = change else { return nil }
        return Marked(
          step: record.step, path: path, mark: mark, profile: record.profile, tree: record.tree)
      }
    }
  }

  /// The items in the backups, with the steps that put them where they are.
  var backedUp: [(step: Scenario.StepReference, path: ContainerPath)] {
    moments.flatMap { moment in
      (moment.backup?.contents.included ?? []).compactMap { decision in
        moment.ledger.origins[decision.path].map { ($0, decision.path) }
      }
    }
  }

  /// The files that steps read unchecked and found, in order.
  var uncheckedReads: [(Scenario.StepReference, ContainerPath)] {
    transcript.entries.compactMap { entry in
      if case .read(let path) = entry.event { (entry.step, path) } else { nil }
    }
  }

  /// The files that steps read unchecked and missed, in order.
  var missingReads: [(Scenario.StepReference, ContainerPath)] {
    transcript.entries.compactMap { entry in
      if case .readMissing(let path, _) = entry.event { (entry.step, path) } else { nil }
    }
  }

  /// Whether the scenario says that a step must fail.
  func isExpectedToFail(_ reference: Scenario.StepReference) -> Bool {
    (scenario.steps + scenario.launch).contains {
      $0.reference == reference && $0.expectedFailure != nil
    }
  }

  /// The class that the app promised of an item.
  func dataClass(of path: ContainerPath?) -> DataClass? {
    path.flatMap { scenario.files?.dataClass(of: $0) }
  }
}

extension Transcript {
  /// Changes the container as every record has it.
  mutating func changeTrees(_ change: (inout FileTree) -> Void) {
    entries = entries.map { record in
      var tree = record.tree
      change(&tree)
      return record.with(tree: tree)
    }
  }

  /// Changes the system as every record has it.
  mutating func changeProfiles(_ change: (inout SystemProfile) -> Void) {
    entries = entries.map { record in
      var profile = record.profile
      change(&profile)
      return record.with(profile: profile)
    }
  }

  /// Has the app itself do what an extension did.
  mutating func moveExtensionsIntoApp() {
    entries = entries.map { $0.with(without: .inExtension) }
  }

  /// Changes what backups were taken of and what they hold.
  mutating func changeBackups(_ change: (inout FileTree, BackupSet) -> BackupSet) {
    entries = entries.map { record in
      guard let backup = record.event.backup else { return record }
      var tree = backup.tree
      let set = change(&tree, backup.contents)
      let changed = FakeContainer.Backup(label: backup.label, tree: tree, contents: set)
      return record.with(event: .system(.backup(changed)))
    }
  }

  /// Changes what the app did, as every record has it.
  ///
  /// - Parameter change: Takes a change and the system's last act before it, if any.
  mutating func changeChanges(_ change: (FileTree.Change, Event?) -> [FileTree.Change]) {
    var last: Event?
    entries = entries.map { record in
      if record.event.isBySystem { last = record.event }
      guard case .changes(let changes) = record.event else { return record }
      return record.with(event: .changes(changes.flatMap { change($0, last) }))
    }
  }
}

extension Transcript.Entry {
  /// The same with something else in it.
  fileprivate func with(
    event: Transcript.Event? = nil, tree: FileTree? = nil, profile: SystemProfile? = nil,
    without circumstance: Transcript.Entry.Circumstances = []
  ) -> Transcript.Entry {
    Transcript.Entry(
      step: step, event: event ?? self.event, tree: tree ?? self.tree,
      profile: profile ?? self.profile, in: circumstances.subtracting([.code, circumstance]))
  }
}
