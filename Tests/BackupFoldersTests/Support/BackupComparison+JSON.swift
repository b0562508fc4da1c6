import BackupFolders
import BackupVerdicts

extension BackupComparison {
  /// The comparison as the tool writes it for programs.
  func json() throws -> String { try OutputFormat<BackupComparison>.json { $0.json }.write(self) }
}

extension FidelityRecord {
  /// The record as the tool writes it.
  func json() throws -> String { try OutputFormat<FidelityRecord>.json { $0 }.write(self) }
}
