import BackupContainer
import BackupDevice
import BackupScenarios

/// The use of a file that a locked device does not let the app read, without a check.
///
/// iOS may launch an app in the background before the user has unlocked the device for the first time. Files
/// with the usual protection cannot be read until then.
struct ReadableBeforeUseRule: Rule {
  let name = "readable-before-use"
  let sources: [SystemProfile.Source] = [.applePlatformSecurity]
  func codeToBlame(for severity: Scenario.Severity) -> CodeToBlame { .call(.look) }
  var suspectedCalls: [ChangeCall.Kind] { [] }
  var consequence: String? { "the app fails without '{path}'" }

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    guard case .readLocked(let path) = event.event else { return }
    report.add(
      self, at: event.step, on: path, identity: .item,
      "the app reads '\(path)' without checking, but cannot read it while the device is locked",
      advice: .text(
        "check 'isProtectedDataAvailable' and wait until it is true; or save a file that the app needs "
          + "in the background with another protection"))
  }
}
