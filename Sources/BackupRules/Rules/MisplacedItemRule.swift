import BackupDevice
import BackupScenarios

/// Reports cached or temporary data where no purge takes it, and support data in Documents. A mark
/// makes no difference.
///
/// Documents is for the user's own files. A marked thumbnail in Documents stays out of backups, but
/// the user may see it, and the system cannot purge it when the device is full. The rule never
/// reports `offline` data, because the guidelines of 2011 permit it in Documents.
struct MisplacedItemRule: Rule {
  let name = "misplaced-item"
  let severity = Scenario.Severity.warning
  let basis = RuleBasis.classes
  let sources: [SystemProfile.Source] = [.appleGuidelines2011]
  var requirements: BrokenRequirements { .named(["class.cached", "class.temporary"]) }

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    guard let checkpoint = event.checkpoint else { return }
    for file in checkpoint.filesToJudge {
      guard let dataClass = file.dataClass,
        dataClass.isMisplaced(file.path, on: checkpoint.profile)
      else { continue }
      let isSupport = dataClass == .support
      report.add(
        self, severity: isSupport ? .advice : severity,
        at: event.facts.ledger.origin(of: file.path) ?? event.step, on: file.path, groupedBy: .item,
        isSupport
          ? "'\(file.path)' is support data, but is in Documents, which is for the user's own files"
          : "'\(file.path)' is \(dataClass.rawValue) data, but is in a place that the system "
            + "does not purge",
        advice: .text(dataClass.placeAdvice(for: file.path, on: checkpoint.profile)),
        // `recreatable-data-backed-up` also says where the item belongs.
        unless: [RecreatableDataBackedUpRule().name])
    }
  }
}
