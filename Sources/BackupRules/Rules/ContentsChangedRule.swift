import BackupDevice
import BackupFileTree
import BackupScenarios

/// What the user made, written over by a start of the app.
///
/// A restored device has the user's file, but not what the app keeps out of backups. An app that
/// takes it for a new one then begins with an empty list, and saves that over the user's. The file is
/// there, by its name, and the next backup holds it: empty.
///
/// What a start of the app saves is no doing of the user's. So a file is compared with what it held
/// when a step of the app's last saved it: at each read, and once it was restored. Growth in place
/// keeps what was there. Of what the app's own code has saved just the size is known; it may have
/// brought the file to a new format, so that is a warning.
struct ContentsChangedRule: Rule {
  let name = "contents-changed"
  let sources: [SystemProfile.Source] = [.observed]

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    guard event.scenario.files != nil else { return }
    if event.checkpoint != nil {
      for (path, change) in event.facts.files.restoredAndChanged { add(path, change, &report) }
    } else if case .read(let path) = event.event, !event.isOfStart,
      let change = event.facts.files.changes[path]
    {
      add(path, change, &report)
    }
  }

  private func add(
    _ path: ContainerPath, _ change: UserFiles.ContentChange, _ report: inout RuleReport
  ) {
    report.add(
      self, severity: change.isKnown ? severity : .warning, at: change.step, on: path,
      identity: .item,
      "the app overwrote the user's file '\(path)' when it started: the file now has "
        + (change.isKnown ? "other contents" : "another size")
        + " than the app last saved",
      advice: .text(
        change.isKnown
          ? "check whether the file exists before the app writes its first one"
          : "check that the file still has the user's contents, and check whether it exists "
            + "before the app writes its first one"), unless: [UserDataLostRule().name])
  }
}
