import BackupContainer

extension Option {
  static let printedFile = Option(
    "--output", value: "FILE", "write the file to this path instead of standard output")
}

extension Arguments {
  /// Writes a source file, whose parts are embedded in the tool, to the file that the arguments
  /// name, or to standard output if they name none. It overwrites only an earlier print of it.
  func print(fileOf parts: [UInt8]...) throws(CommandError) {
    let text = parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    guard let file = value(of: .printedFile) else { return try Output.print(text) }
    guard Self.isReplaceable(file, by: text) else {
      throw CommandError(
        "\(file): the file exists, and this command did not write it; name a new file")
    }
    try Output.write(text, to: file)
  }

  /// Whether a file is missing, empty or an earlier print of this one, by its first line; what is no
  /// file is not read, and takes what is written.
  private static func isReplaceable(_ file: String, by text: String) -> Bool {
    guard FileKind(at: file, followingLinks: true) == .file else { return true }
    let firstLine = Array(text.prefix { !$0.isNewline }.utf8)
    let found = try? RegularFile.bytes(at: file, upTo: firstLine.count, followingLinks: true)
    return found == firstLine || found == []
  }
}
