import BackupContainer

/// A source file that the tool prints, of which it has the parts embedded.
struct PrintedFile {
  /// The parts, in order.
  let parts: [[UInt8]]

  static let output = Option(
    "--output", value: "FILE", "write the file here instead of standard output")

  /// Writes it where the arguments say, over nothing but an earlier print of it; to standard output
  /// where they name no file.
  func write(_ arguments: Arguments) throws(CommandError) {
    let text = parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    guard let file = arguments.value(of: Self.output) else { return try Output.print(text) }
    guard Self.isReplaceable(file, by: text) else {
      throw CommandError(
        "\(file): something else than an earlier print of this file is there; name a new file")
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
