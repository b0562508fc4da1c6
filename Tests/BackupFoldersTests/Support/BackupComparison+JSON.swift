import BackupFolders
import BackupReports
import BackupVerdicts

extension BackupComparison {
  /// The comparison as the tool writes it for programs.
  func json() throws -> String { try OutputFormat<BackupComparison>.json { $0.json }.write(self) }
}
