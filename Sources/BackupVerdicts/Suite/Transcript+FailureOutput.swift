import BackupDiagnostics
import BackupScenarios

extension Transcript {
  /// How many lines of a tool's output are shown with its failure.
  private static let shownLineCount = 20
  /// How many characters of a line are shown.
  private static let shownLineLength = 200

  /// What the step that failed printed, shortened to its last lines; empty for one that runs no
  /// tool.
  var failureOutput: [String] {
    guard let failure else { return [] }
    let outputs = entries.compactMap { entry -> String? in
      if entry.step == failure.step, case .output(let text) = entry.event { text } else { nil }
    }
    guard let output = outputs.last else { return [] }
    guard !output.isEmpty else { return ["it printed nothing"] }
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    let shown = lines.suffix(Self.shownLineCount)
    let title =
      shown.count == lines.count
      ? "it printed:" : "the last \(shown.count) of the \(lines.count) lines it printed:"
    return [title] + shown.map { "| \(String($0).cut(to: Self.shownLineLength))" }
  }
}
