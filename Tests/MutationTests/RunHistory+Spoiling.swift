import BackupCollections
import BackupDevice
import BackupFileTree

@testable import BackupRules
@testable import BackupScenarios

extension RunHistory {
  /// A mark that the app set.
  struct Marked {
    /// The step.
    let step: Scenario.StepReference
    /// The item.
    let path: ContainerPath
    /// The mark.
    let mark: ExclusionMark
    /// The system.
    let profile: SystemProfile
    /// The container afterwards.
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
      (moment.backup?.set.included ?? []).compactMap { decision in
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
      return Entry(step: record.step, event: record.event, tree: tree, profile: record.profile)
    }
  }

  /// Changes the system as every record has it.
  mutating func changeProfiles(_ change: (inout SystemProfile) -> Void) {
    entries = entries.map { record in
      var profile = record.profile
      change(&profile)
      return Entry(step: record.step, event: record.event, tree: record.tree, profile: profile)
    }
  }

  /// Changes what backups were taken of and what they hold.
  mutating func changeBackups(_ change: (inout FileTree, BackupSet) -> BackupSet) {
    entries = entries.map { record in
      guard let backup = record.event.backup else { return record }
      var tree = backup.tree
      let set = change(&tree, backup.set)
      let changed = Event.Backup(label: backup.label, tree: tree, set: set)
      return Entry(
        step: record.step, event: .backup(changed), tree: record.tree, profile: record.profile)
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
      return Entry(
        step: record.step, event: .changes(changes.flatMap { change($0, last) }),
        tree: record.tree, profile: record.profile)
    }
  }
}
