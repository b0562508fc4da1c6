import BackupDevice
import BackupDiagnostics
import BackupFileTree

/// `expectBackup: { contains: […], lacks: […] }`: what the latest backup holds.
struct ExpectBackupStep: StepAction {
  static let keyword = "expectBackup"

  /// Patterns that must each match an item of the backup.
  let contains: [PathPattern]
  /// Patterns that must match none.
  let lacks: [PathPattern]

  init?(reading step: inout StepReader) {
    guard
      let lists = PatternLists(step.subject, keys: ("contains", "lacks"), step.collector)
    else { return nil }
    self.contains = lists.first
    self.lacks = lists.second
  }

  var summary: String { "expectBackup" }
  static let actor = StepActor.observer

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    guard let backup = run.latestBackup else {
      throw StepFailure("there is no backup yet; put a 'backup' step before this one")
    }
    let label = EscapedText.escape(backup.label)
    for pattern in contains
    where !backup.set.included.contains(where: { pattern.matchesInside($0.path) }) {
      let reason = backup.set.leftOut.first { pattern.matchesInside($0.path) }
      let why = reason.flatMap { left in left.reason.map { ": '\(left.path)' is left out, \($0)" } }
      throw StepFailure("the backup \"\(label)\" holds nothing like '\(pattern.shown)'\(why ?? "")")
    }
    for pattern in lacks {
      let found = backup.set.included.first { pattern.matchesInside($0.path) }
      guard let found else { continue }
      throw StepFailure("the backup \"\(label)\" holds '\(found.path)', against '\(pattern.shown)'")
    }
  }
}
