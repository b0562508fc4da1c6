import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupScenarios

/// Reports an app that reads a file or a keychain item on a locked device without checking first
/// whether protected data is available.
///
/// iOS may launch an app in the background before the first unlock of the device. Until then, the
/// app cannot read files with the usual protection.
struct ReadableBeforeUseRule: Rule {
  let name = "readable-before-use"
  let sources: [SystemProfile.Source] = [.applePlatformSecurity]
  func codeToBlame(for severity: Scenario.Severity) -> CodeToBlame { .call(.look) }
  var suspectedCalls: [ChangeCall.Kind] { [] }
  var consequence: String? { "the app fails without '{path}'" }

  private static let advice = "check 'isProtectedDataAvailable' and wait until it is true"

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    switch event.event {
    case .readLocked(let path):
      report.add(
        self, at: event.step, on: path, groupedBy: .item,
        "the app opens '\(path)' without checking, which it cannot do while the device is locked",
        advice: .text(
          Self.advice
            + "; or save a file that the app needs in the background with another protection"))
    case .lockedKeychainItem(let name):
      report.add(
        self, at: event.step, on: nil,
        "the app reads the keychain item '\(name.escapedExcerpt)' without checking, but cannot read it before "
          + "the first unlock", advice: .text(Self.advice))
    default: return
    }
  }
}
