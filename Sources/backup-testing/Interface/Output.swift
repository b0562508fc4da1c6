import BackupContainer
import BackupDiagnostics
import BackupFileTree
import BackupReports
import BackupVerdicts
import Foundation

enum Output {
  /// Writes to standard output. If the reader has closed it, the text is lost without an error.
  static func print(_ text: String) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
      let errorNumber = cause.domain == NSPOSIXErrorDomain ? Int32(exactly: cause.code) : nil
      guard errorNumber != EPIPE else { return }
      let reason = errorNumber == EBADF ? "it is closed" : error.reason
      throw CommandError("standard output cannot be written: \(reason)")
    }
  }

  static func error(_ text: String) {
    FileHandle.note(text)
  }

  /// Writes the error of a command to standard error. For a mistake in a file, also writes the
  /// place in the file.
  static func error(_ error: any Error) {
    var diagnostics = (error as? RunError)?.diagnostics ?? []
    if let error = error as? ContainerList.FileError, let position = error.position {
      diagnostics = [
        ScenarioDiagnostic(file: error.path, position: position, message: error.message)
      ]
    }
    self.error(
      diagnostics.isEmpty
        ? "backup-testing: error: \("\(error)".onOneLine)\n"
        : diagnostics.text(isColored: isErrorColored))
  }

  /// Writes the whole text or nothing to a file. Without a file, writes to standard output.
  static func write(_ text: String, to file: TextFile?) throws {
    guard let file else { return try print(text) }
    try file.write(text)
  }

  /// Appends to a file, such as the file that GitHub's runner reads for the summary of a job.
  static func append(_ text: String, to path: String) throws {
    do {
      let url = URL(fileURLWithPath: path)
      if !FileManager.default.fileExists(atPath: path) { try Data().write(to: url) }
      let file = try FileHandle(forWritingTo: url)
      try file.seekToEnd()
      try file.write(contentsOf: Data(text.utf8))
      try file.close()
    } catch {
      throw CommandError("GITHUB_STEP_SUMMARY: \(path): cannot be written: \(error.reason)")
    }
  }

  static var isErrorColored: Bool { takesColors(isTerminal: isatty(STDERR_FILENO) == 1) }
  static var isOutputColored: Bool { takesColors(isTerminal: isatty(STDOUT_FILENO) == 1) }

  static func takesColors(
    isTerminal: Bool, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Bool {
    isTerminal && environment["NO_COLOR"]?.isEmpty != false && environment["TERM"] != "dumb"
  }
}

extension RegularFile {
  private static let maximumReportSize = 1_000_000_000

  /// Returns the first bytes of a file. The messages of errors call the file `name`.
  static func firstBytes(
    of name: String, at path: String, upTo count: Int, followingLinks followsLinks: Bool
  ) throws(CommandError) -> [UInt8] {
    do throws(AccessError) {
      return try bytes(at: path, upTo: count, followingLinks: followsLinks)
    } catch {
      throw CommandError("\(path): the \(name) cannot be read: \(error.reason)")
    }
  }

  /// Returns the contents of a report file. The messages of errors call the file `name`.
  static func bytesOfReport(_ name: String, at path: String) throws(CommandError) -> [UInt8] {
    let bytes = try firstBytes(
      of: name, at: path, upTo: maximumReportSize + 1, followingLinks: true)
    guard bytes.count > maximumReportSize else { return bytes }
    throw CommandError(
      "\(path): this is larger than \(maximumReportSize.formattedSize), the most that the kit reads"
    )
  }
}

extension TextFile {
  /// Throws an error if the file is in `folder`, or is one of `files`.
  func requireOutside(of folder: String, andNoneOf files: [String]) throws {
    let root = TextFile(path: folder).resolvedPath
    // Foundation does not resolve the links in the path of a file that does not exist yet.
    let parent = url.deletingLastPathComponent().resolvingSymlinksInPath().path
    if [resolvedPath, parent].contains(where: { $0 == root || $0.hasPrefix("\(root)/") }) {
      throw CommandError(
        "\(path): this is in \(folder), which the command only reads; write to another path")
    }
    if files.contains(where: { TextFile(path: $0).resolvedPath == resolvedPath }) {
      throw CommandError(
        "\(path): this file is read by the command; write the report to another path")
    }
  }
}

extension Option {
  static let newFolder = Option("--output", value: "FOLDER", "the folder to create; required")
  static let printedFile = Option(
    "--output", value: "FILE", "write the file to this path instead of standard output")
}

extension Arguments {
  /// Writes a source file, whose parts are embedded in the tool, to the file of `--output` or to
  /// standard output. Overwrites only an empty file or an earlier version of the same source file.
  /// An earlier version has the same first line.
  func writeSourceFile(ofParts parts: [UInt8]...) throws {
    let text = parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    guard let file = value(of: .printedFile) else { return try Output.print(text) }
    try TextFile(path: file).requireNoEscapingLink()
    // Read only a regular file. Anything else, such as a pipe, is only written to.
    if FileKind(at: file, followingLinks: true) == .file {
      let firstLine = Array(text.prefix { !$0.isNewline }.utf8)
      let existingStart = try RegularFile.firstBytes(
        of: "file", at: file, upTo: firstLine.count, followingLinks: true)
      guard existingStart == firstLine || existingStart == [] else {
        throw CommandError(
          "\(file): the file exists, and this command did not write it; name a new file")
      }
    }
    try TextFile(path: file).write(text)
  }
}
