/// Where a backup goes.
public enum BackupKind: String, CaseIterable, Hashable, Sendable {
  /// To iCloud, whose space the user pays for.
  case iCloud
  /// To a computer, unencrypted.
  case local
  /// To a computer, encrypted.
  case localEncrypted = "local-encrypted"
}
