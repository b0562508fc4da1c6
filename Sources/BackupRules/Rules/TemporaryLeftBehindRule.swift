import BackupDevice
import BackupFileTree
import BackupScenarios

/// Reports a temporary item that still exists at the end of the run.
///
/// The system may never empty tmp, so items that a task leaves there fill the device. In a
/// directory that is backed up, they also fill the user's storage. If a backup contains such a file
/// from Documents/Inbox, `recreatable-data-backed-up` reports it.
struct TemporaryLeftBehindRule: Rule {
  let name = "temporary-left-behind"
  let severity = Scenario.Severity.warning
  let sources: [SystemProfile.Source] = [.appleGuidelines2011, .appleFSPG]
  var requirements: BrokenRequirements { .named(["class.temporary-deleted"]) }

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    guard event.isEnd, let checkpoint = event.checkpoint else { return }
    for file in checkpoint.filesToJudge where file.dataClass == .temporary {
      guard let step = event.facts.ledger.origin(of: file.path) else { continue }
      let isInInbox = file.path.isInInbox
      report.add(
        self, at: step, on: file.path,
        "'\(file.path)' is temporary, but still exists at the end of the run",
        advice: .text(
          isInInbox ? DataClass.inboxAdvice : "delete it when its task is done"),
        unless: [MisplacedItemRule().name]
          + (isInInbox ? [RecreatableDataBackedUpRule().name] : []))
    }
  }
}
