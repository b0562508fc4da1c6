import BackupDevice
import BackupScenarios

/// Reports a step that fails because the app was killed during an earlier attempt.
///
/// The system may kill an app between any two changes to the file system. The items that the app
/// has already created stay. If an activity expects that such an item does not exist, the activity
/// fails each time.
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
