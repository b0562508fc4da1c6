import BackupDevice
import BackupDiagnostics
import BackupScenarios

/// Something that the app itself takes for granted, and that does not hold after what the system did.
///
/// Only the app knows that its index names no missing file. Its check runs after the start that follows, so
/// that the app has had its chance to put things right, and on a copy, so that it changes nothing.
struct AppCheckFailedRule: Rule {
  let name = "app-check-failed"
  let basis = RuleBasis.check
  let sources: [SystemProfile.Source] = [.appleAppGuide, .appleFileSystem]
  var namesKill: Bool { true }

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    guard case .checkFailed(let message, after: let cause, let path) = event.event else { return }
    let words = EscapedText.escape(message.cut(to: 200))
    // Foundation's words of a missing file do not name it.
    let item = path.map { words.contains("\($0)") ? "" : " ('\($0)')" } ?? ""
    report.add(
      self, at: event.step, on: path, identity: .item,
      "the app's own check fails after \(cause): \(words)\(item)",
      advice: .text(
        "at its start, the app must repair its files, or work without the missing ones"))
  }
}
