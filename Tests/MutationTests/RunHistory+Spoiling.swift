import BackupCollections
import BackupContainer
import BackupDevice
import BackupFileTree

@testable import BackupRules
@testable import BackupScenarios

/// A run for mutants of rules: the container at each event of iOS, and the origin of each item.
struct RunHistory {
  /// The container at an event of iOS, or at the end of the run.
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
    var classes = DeclaredClasses(transcript.scenario.files)
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

  /// Returns the indices of the moments whose backup includes an item, for each of the items.
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
    transcript.entries.flatMap { entry -> [Marked] in
      guard case .changes(let changes) = entry.event else { return [] }
      return changes.compactMap { change in
        guard case .marked(let path, let mark) = change else { return nil }
        return Marked(
          step: entry.step, path: path, mark: mark, profile: entry.profile, tree: entry.tree)
      }
    }
  }

  /// The items in the backups, with the steps that created them or moved them there.
  var backedUp: [(step: Scenario.StepReference, path: ContainerPath)] {
    moments.flatMap { moment in
      (moment.backup?.contents.included ?? []).compactMap { decision in
        moment.ledger.origins[decision.path].map { ($0, decision.path) }
      }
    }
  }

  /// The existing files that steps read without a check, in order.
  var uncheckedReads: [(Scenario.StepReference, ContainerPath)] {
    transcript.entries.compactMap { entry in
      if case .read(let path) = entry.event { (entry.step, path) } else { nil }
    }
  }

  /// The missing files that steps read without a check, in order.
  var missingReads: [(Scenario.StepReference, ContainerPath)] {
    transcript.entries.compactMap { entry in
      if case .readMissing(let path, _) = entry.event { (entry.step, path) } else { nil }
    }
  }

  /// Returns true if the scenario expects a step to fail.
  func isExpectedToFail(_ reference: Scenario.StepReference) -> Bool {
    (scenario.steps + scenario.launch).contains {
      $0.reference == reference && $0.expectedFailure != nil
    }
  }

  /// Returns the class of an item in the scenario.
  func dataClass(of path: ContainerPath?) -> DataClass? {
    path.flatMap { scenario.files?.dataClass(of: $0) }
  }
}

extension Transcript {
  /// Changes the container in every entry.
  mutating func changeTrees(_ change: (inout FileTree) -> Void) {
    entries = entries.map { entry in
      var tree = entry.tree
      change(&tree)
      return entry.with(tree: tree)
    }
  }

  /// Changes the profile of iOS in every entry.
  mutating func changeProfiles(_ change: (inout SystemProfile) -> Void) {
    entries = entries.map { entry in
      var profile = entry.profile
      change(&profile)
      return entry.with(profile: profile)
    }
  }

  /// Changes the steps of extensions to steps of the app.
  mutating func moveExtensionsIntoApp() {
    entries = entries.map { $0.with(without: .inExtension) }
  }

  /// Changes the container and the contents of each backup.
  mutating func changeBackups(_ change: (inout FileTree, BackupSet) -> BackupSet) {
    entries = entries.map { entry in
      guard let backup = entry.event.backup else { return entry }
      var tree = backup.tree
      let contents = change(&tree, backup.contents)
      let changedBackup = FakeContainer.Backup(
        label: backup.label, tree: tree, contents: contents)
      return entry.with(event: .system(.backup(changedBackup)))
    }
  }

  /// Replaces each change that the app made.
  ///
  /// - Parameter change: Returns the replacement of a change. Its second argument is the last event
  ///   of iOS before the change; nil for none.
  mutating func replaceChanges(_ change: (FileTree.Change, Event?) -> [FileTree.Change]) {
    var lastSystemEvent: Event?
    entries = entries.map { entry in
      if entry.event.isBySystem { lastSystemEvent = entry.event }
      guard case .changes(let changes) = entry.event else { return entry }
      return entry.with(event: .changes(changes.flatMap { change($0, lastSystemEvent) }))
    }
  }
}

extension Transcript.Entry {
  fileprivate func with(
    event: Transcript.Event? = nil, tree: FileTree? = nil, profile: SystemProfile? = nil,
    without circumstance: Transcript.Entry.Circumstances = []
  ) -> Transcript.Entry {
    Transcript.Entry(
      step: step, event: event ?? self.event, tree: tree ?? self.tree,
      profile: profile ?? self.profile, in: circumstances.subtracting([.code, circumstance]))
  }
}
