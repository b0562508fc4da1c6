import BackupDevice
import BackupScenarios

/// Something that the app cannot do, because it was killed when it did it before.
///
/// The system ends apps when it likes, between any two changes to the file system. What the app has
/// made until then stays, and an activity that assumes that the item does not exist yet fails every
/// time from then on.
struct HalfDoneRule: Rule {
  let name = "half-done"
  let sources: [SystemProfile.Source] = [.appleAppGuide]
  var consequence: String? { "the step '{step}' fails from then on" }

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    guard case .foundOwnRemnant(let path) = event.event else { return }
    report.add(
      self, at: event.step, on: path,
      "the app was interrupted after it created '\(path)'; now it cannot create the item again, "
        + "because it already exists",
      advice: .text(
        "create it under a temporary name, and rename it when it is complete; before that, remove "
          + "an item with the temporary name that an earlier attempt left"))
  }
}
