import BackupDiagnostics
import BackupScenarios
import BackupVerdicts
import Foundation

/// Standard output, standard error, and files.
enum Output {
  /// Writes to standard output; if its reader has closed it, the text is lost without an error.
  static func print(_ text: String) throws(CommandError) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      guard error.systemNumber != EPIPE else { return }
      let reason = error.systemNumber == EBADF ? "it is closed" : error.reason
      throw CommandError("standard output cannot be written: \(reason)")
    }
  }

  static func error(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Writes why a command could not be done.
  static func error(_ error: CommandError) {
    if !error.description.isEmpty {
      self.error("backup-testing: error: \(error.description.onOneLine)\n")
    }
    self.error(error.diagnostics.text(isColored: isErrorColored))
  }

  /// Writes to a file, whole or not at all.
  static func write(_ text: String, to file: String) throws(CommandError) {
    try CommandError.rethrowing { () throws(RunError) in try TextFile(path: file).write(text) }
  }

  static var isErrorColored: Bool { takesColors(STDERR_FILENO) }

  static var isOutputColored: Bool { takesColors(STDOUT_FILENO) }

  private static func takesColors(_ descriptor: Int32) -> Bool {
    takesColors(
      isTerminal: isatty(descriptor) == 1, environment: ProcessInfo.processInfo.environment)
  }

  /// Whether an output takes colours: a terminal that is not dumb, and `NO_COLOR` not set.
  static func takesColors(isTerminal: Bool, environment: [String: String]) -> Bool {
    isTerminal && environment["NO_COLOR"]?.isEmpty != false && environment["TERM"] != "dumb"
  }
}

extension Error {
  /// The error number of the system that it stems from; nil where it stems from none.
  fileprivate var systemNumber: Int32? {
    let error = self as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    return cause.domain == NSPOSIXErrorDomain ? Int32(exactly: cause.code) : nil
  }
}
