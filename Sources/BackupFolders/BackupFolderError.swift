import BackupContainer
import BackupDiagnostics
import BackupFileTree

/// A backup folder that cannot be read or written.
package struct BackupFolderError: Error, Hashable, Sendable, CustomStringConvertible {
  package let path: String
  /// What is wrong with it and what to do.
  package let reason: String

  package init(_ path: String, _ reason: String) {
    self.path = path
    self.reason = reason
  }

  init(_ obstacle: RegularFile.Obstacle) {
    self.init(obstacle.path, obstacle.reason)
  }

  /// A file or folder that a call of the system could not look at.
  init(_ path: String, _ number: Int32) {
    self.init(path, "cannot be examined: \(MachineFault.words(for: number))")
  }

  /// The path and what is wrong, as a sentence.
  package var description: String { "\(path): \(reason)".asMessage }
}
