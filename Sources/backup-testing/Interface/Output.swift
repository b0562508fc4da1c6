import BackupDiagnostics
import BackupVerdicts
import Foundation

/// Standard output, standard error, and files.
enum Output {
  /// Writes to standard output; what nobody reads any more is lost without a word.
  static func print(_ text: String) throws(CommandError) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      guard !error.isBrokenPipe else { return }
      throw CommandError("standard output: cannot be written: \(error.reason)")
    }
  }

  /// Writes to standard error.
  static func error(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Writes why a command could not be done.
  static func error(_ error: CommandError) {
    if !error.description.isEmpty {
      self.error("backup-testing: error: \(error.description.onOneLine)\n")
    }
    self.error(TextReport.text(of: error.diagnostics, isColored: isErrorColored))
  }

  /// Writes to a file, whole or not at all; links are followed, and a device or a pipe gets what is
  /// written and keeps its place.
  static func write(_ text: String, to file: String) throws(CommandError) {
    // Foundation takes a '~' at the begin for somebody's home, which is the shell's business.
    let path = file.hasPrefix("~") ? "./\(file)" : file
    let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    let files = FileManager.default
    do {
      switch try? files.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType {
      case _ where file.hasSuffix("/"), .typeDirectory?:
        throw CommandError("\(file): cannot be written: this is a folder")
      case .typeRegular?:
        try Data(text.utf8).write(to: url, options: .atomic)
      case nil where !files.fileExists(atPath: path):
        try Data(text.utf8).write(to: url, options: .atomic)
      default:
        try writeInPlace(Data(text.utf8), to: path)
      }
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError("\(file): cannot be written: \(error.reason)")
    }
  }

  /// Writes to what a path leads to, as a shell's `>` does.
  private static func writeInPlace(_ data: Data, to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try handle.write(contentsOf: data)
    try handle.close()
  }

  /// Whether standard error takes colours.
  static var isErrorColored: Bool { takesColors(STDERR_FILENO) }

  /// Whether standard output takes colours.
  static var isOutputColored: Bool { takesColors(STDOUT_FILENO) }

  /// Whether a descriptor takes colours.
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
  /// Whether it says that the reader of a pipe has gone away.
  fileprivate var isBrokenPipe: Bool {
    let error = self as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    return cause.domain == NSPOSIXErrorDomain && cause.code == Int(EPIPE)
  }
}
