import BackupDevice
import BackupDiagnostics
import BackupScenarios

/// Reports that the app's own check of its files fails after an event of the system.
///
/// For example, only the app can check whether its index names missing files. The kit runs the
/// check after the next start, so that the app can repair its files first. The check runs on a copy
/// of the container, so that it changes nothing.
struct AppCheckFailedRule: Rule {
  let name = "app-check-failed"
  let basis = RuleBasis.check
  let sources: [SystemProfile.Source] = [.appleAppGuide, .appleFileSystem]
  var namesKill: Bool { true }

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    guard case .checkFailed(let message, after: let cause, let path) = event.event else { return }
    let errorText = EscapedText.escape(message.cut(to: 200))
    // Foundation's message on a missing file does not name the file.
    let pathInParentheses = path.map { errorText.contains("\($0)") ? "" : " ('\($0)')" } ?? ""
    report.add(
      self, at: event.step, on: path, groupedBy: .item,
      "the app's own check fails after \(cause): \(errorText)\(pathInParentheses)",
      advice: .text(
        "at its start, the app must repair its files, or work without the missing ones"))
  }
}
