import BackupDiagnostics

/// Finds the `restore` steps of a file whose backup no step before them takes.
enum RestoreReader {
  /// How often two labels are compared at most; in a large file it would take long.
  private static let mostComparisons = 2000
  /// The longest label that is compared, in bytes.
  private static let longestCompared = 200

  /// Notes each; where a step could not be read, nothing is known of the labels.
  static func check(_ steps: [Scenario.Step?], _ collector: DiagnosticCollector) {
    guard !steps.contains(where: { $0 == nil }) else { return }
    var labels: Set<String> = []
    var comparisons = mostComparisons
    for step in steps.compactMap(\.self) {
      if let backup = step.action as? BackupStep { labels.insert(backup.label) }
      guard let label = (step.action as? RestoreStep)?.label, !labels.contains(label) else {
        continue
      }
      let isCompared = labels.count <= comparisons
      if isCompared { comparisons -= labels.count }
      let candidates = isCompared ? labels.filter { $0.utf8.count <= longestCompared } : []
      let advice = NearestWord.to(label, in: candidates).map { "did you mean \"\($0.shown)\"?" }
      collector.error(
        "no backup \"\(label.shown)\" is taken before this step; "
          + (advice ?? "put a 'backup' step of this label before it"),
        at: step.reference.position)
    }
  }
}
