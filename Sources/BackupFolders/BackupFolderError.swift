import BackupDiagnostics

/// A backup folder that cannot be read or written.
package struct BackupFolderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file or folder at fault.
  package let path: String
  /// What is wrong with it and what to do.
  package let reason: String

  /// What is wrong with a file or folder.
  package init(_ path: String, _ reason: String) {
    self.path = path
    self.reason = reason
  }

  /// The path and what is wrong, as a sentence.
  package var description: String { "\(path): \(reason)".asMessage }
}
