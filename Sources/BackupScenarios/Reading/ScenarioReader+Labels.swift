import BackupDiagnostics

extension ScenarioReader {
  /// How often two labels are compared at most; in a large file it would take long.
  private static let mostComparisons = 2000
  /// The longest label that is compared, in bytes.
  private static let longestCompared = 200

  /// Notes each step that restores a backup which no step before it takes; where a step could not
  /// be read, nothing is known of the labels.
  func refuseUnknownLabels(in steps: [Scenario.Step?]) {
    guard !steps.contains(where: { $0 == nil }) else { return }
    var labels: Set<String> = []
    var comparisons = Self.mostComparisons
    for step in steps.compactMap(\.self) {
      if let taken = step.action.backupLabel { labels.insert(taken) }
      guard let label = step.action.restoredLabel, !labels.contains(label) else { continue }
      let isCompared = labels.count <= comparisons
      if isCompared { comparisons -= labels.count }
      let candidates =
        isCompared ? labels.filter { $0.utf8.count <= Self.longestCompared } : []
      let advice = NearestWord.to(label, in: candidates).map { "did you mean \"\($0.shown)\"?" }
      collector.note(
        "no backup \"\(label.shown)\" is taken before this step; "
          + (advice ?? "put a 'backup' step of this label before it"),
        at: step.reference.position)
    }
  }
}
