import BackupDevice
import BackupScenarios

/// An item in a wrong place, marked or not: cached or temporary data that no purge takes, or support
/// data among the user's own.
///
/// Documents is for the user's own files. A mark keeps a thumbnail there out of backups, but not out
/// of the user's sight, and the system cannot take it when the device is full. By the same guidelines,
/// data for use without a network may be in Documents.
struct MisplacedItemRule: Rule {
  let name = "misplaced-item"
  let severity = Scenario.Severity.warning
  let basis = RuleBasis.classes
  let sources: [SystemProfile.Source] = [.appleGuidelines2011]
  var requirements: BrokenRequirements { .named(["class.cached", "class.temporary"]) }

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    guard let checkpoint = event.checkpoint else { return }
    for file in checkpoint.files {
      guard let dataClass = file.dataClass,
        dataClass.isMisplaced(file.path, on: checkpoint.profile)
      else { continue }
      let isSupport = dataClass == .support
      report.add(
        self, severity: isSupport ? .advice : severity,
        at: event.facts.ledger.origin(of: file.path) ?? event.step, on: file.path, identity: .item,
        isSupport
          ? "'\(file.path)' is support data, but is in Documents, which is for the user's own files"
          : "'\(file.path)' is \(dataClass.rawValue) data, but is in a place that the system "
            + "does not purge",
        advice: .text(dataClass.placeAdvice(for: file.path, on: checkpoint.profile)),
        // That rule also says where the item belongs.
        unless: [RecreatableDataBackedUpRule().name])
    }
  }
}
