import Foundation

/// Standard output and standard error.
enum Output {
  /// Writes to standard output.
  static func print(_ text: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }

  /// Writes to standard error.
  static func error(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Whether standard error takes colours: a terminal, and `NO_COLOR` not set.
  static var isErrorColored: Bool { takesColors(STDERR_FILENO) }

  /// Whether standard output takes colours.
  static var isOutputColored: Bool { takesColors(STDOUT_FILENO) }

  /// Whether a descriptor takes colours.
  private static func takesColors(_ descriptor: Int32) -> Bool {
    let environment = ProcessInfo.processInfo.environment
    return isatty(descriptor) == 1 && environment["NO_COLOR"]?.isEmpty != false
      && environment["TERM"] != "dumb"
  }
}
