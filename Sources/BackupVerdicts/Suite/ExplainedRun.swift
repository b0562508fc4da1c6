import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
import BackupScenarios

/// A run in which the reasons for differing lines are looked up.
struct ExplainedRun {
  /// What a backup did with each item, by the name golden files have for it, and what says why.
  typealias Backup = (decisions: [String: BackupSet.Decision], explanation: ItemExplanation)

  /// How the scenario's golden file names items.
  private let golden: GoldenOptions
  private let entries: [Transcript.Entry]
  /// The index of each step's first entry.
  private let starts: [Scenario.StepReference: Int]
  /// The indices of the entries in which the app wrote an item or put it there, in their order.
  private let writings: [ContainerPath: [Int]]
  private let sets: [Scenario.StepReference.Number: BackupSet]
  /// Says why the items of each step's backup are in it or not.
  private let explanations: [Scenario.StepReference.Number: ItemExplanation]
  private var backups: [Scenario.StepReference.Number: Backup] = [:]

  init(_ transcript: Transcript) {
    let entries = transcript.entries
    self.golden = transcript.scenario.golden
    self.entries = entries
    self.starts = Dictionary(zip(entries.map(\.step), entries.indices)) { first, _ in first }
    self.writings = Dictionary(
      grouping: entries.indices.flatMap { index in
        entries[index].event.writtenPaths.map { (path: $0, index: index) }
      }, by: \.path
    ).mapValues { $0.map(\.index) }
    let sets = entries.compactMap { entry in
      entry.event.backup.map { (entry.step.number, $0.contents) }
    }
    self.sets = Dictionary(sets) { first, _ in first }
    self.explanations = ItemExplanation.byStep(in: transcript)
  }

  /// The backup that a step took; nil where it took none.
  mutating func backup(_ step: Scenario.StepReference.Number) -> Backup? {
    if let known = backups[step] { return known }
    guard let set = sets[step], let explanation = explanations[step] else { return nil }
    let decisions = set.decisions.map { (golden.name(of: $0.path), $0) }
    let backup = (Dictionary(decisions) { first, _ in first }, explanation)
    backups[step] = backup
    return backup
  }

  /// Since which step an item has the size that a backup finds.
  func size(of path: ContainerPath, before step: Scenario.StepReference) -> String? {
    guard let indices = writings[path] else { return nil }
    let end = starts[step] ?? entries.count
    let earlier = indices[..<indices.partitioningIndex { $0 >= end }]
    let writing = earlier.last.map { entries[$0].step }
    return writing.map { "\(path) has its size since \($0.withLine), \($0.summary)" }
  }
}

extension Transcript.Event {
  /// The items that the app wrote, or put there.
  fileprivate var writtenPaths: [ContainerPath] {
    guard case .changes(let changes) = self else { return [] }
    return changes.filter(\.places).map(\.path)
  }
}
