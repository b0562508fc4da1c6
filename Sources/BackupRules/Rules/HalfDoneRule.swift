import BackupDevice
import BackupScenarios

/// Something that the app cannot do, because it was killed when it did it before.
///
/// The system ends apps when it likes, between any two changes to the file system. What the app has
/// made until then stays, and an activity that assumes that the item does not exist yet fails every
/// time from then on.
struct HalfDoneRule: Rule {
  let name = "half-done"
  let severity = Scenario.Severity.error
  let summary = "an activity that fails on what itself had made when it was killed"
  let subjects: [SystemProfile.Subject] = [.ending]
  let sources: [SystemProfile.Source] = [.appleAppGuide]

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    guard case .foundOwnRemnant(let path) = event.event else { return }
    report.add(
      self, at: event.step, on: path,
      "'\(path)' was made when the app was killed, and now the app cannot make it, since it is there",
      advice: .text(
        "make it under another name, after removing what an earlier attempt has left there, and "
          + "rename it in the end; what is half there must not pass for the whole"))
  }
}
