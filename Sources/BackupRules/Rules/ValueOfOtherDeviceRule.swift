import BackupDevice
import BackupDiagnostics
import BackupScenarios

/// Reports an app that uses a value of another device, although the value is for one device only.
/// An example is a push token.
///
/// Every backup contains user defaults, and some contain keychain items. After a restore, a new
/// device then has a value of the old device. If the app uses it, two devices have one identity, or
/// a server sends to the wrong device. The app must therefore set the value again before each use.
struct ValueOfOtherDeviceRule: Rule {
  let name = "value-of-other-device"
  let sources: [SystemProfile.Source] = [.appleAPNs]
  var requirements: BrokenRequirements { .named(["restore.device-value-set-again"]) }

  func memory(at start: RunStart) -> Set<String> { [] }

  func observe(
    _ event: ObservedEvent, _ reported: inout Set<String>, _ report: inout RuleReport
  ) {
    guard case .valueOfOtherDevice(let name) = event.event, reported.insert(name).inserted
    else { return }
    report.add(
      self, at: event.step, on: nil,
      "the app uses '\(name.escapedExcerpt)', which is for one device only, but a restore brought the value "
        + "from another device",
      advice: .text(
        "at each launch, get the value from the system or the server and set it again before you use "
          + "it; or keep it in a keychain item for this device only"))
  }
}
