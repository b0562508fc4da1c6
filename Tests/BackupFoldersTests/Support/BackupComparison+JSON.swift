import BackupFolders
import BackupReports
import BackupVerdicts

extension BackupComparison {
  /// Returns the comparison as the command writes it in JSON.
  func json() throws -> String { try OutputFormat<BackupComparison>.json { $0.json }.text(self) }
}
