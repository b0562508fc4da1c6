import BackupContainer
package import BackupDiagnostics
import BackupScenarios

/// Reads lines of scenario files to show them.
package struct SourceLines {
  package init() {}

  /// The files read so far, with where their lines begin.
  private var files: [String: (bytes: [UInt8], lines: LineTable)] = [:]

  /// How many bytes of a line are shown.
  private static let longestLine = 160

  /// A line of a file as reports show it: behind its number, a caret under the column if asked.
  ///
  /// - Returns: The lines of the report; none where the file cannot be read.
  package mutating func excerpt(
    at position: SourcePosition, of file: String, caret: Bool
  ) -> [String] {
    let source = files[file] ?? Self.read(file)
    files[file] = source
    guard let line = source.lines.line(position.line, in: source.bytes) else { return [] }
    let column = min(max(0, position.column - 1), line.count)
    let start = line.count > Self.longestLine ? max(0, column - Self.longestLine / 2) : 0
    let shown = Self.text(line.dropFirst(start).prefix(Self.longestLine))
    let number = "\(position.line)"
    let numbered = "  \(number) | \(start > 0 ? "…" : "")\(shown)"
    guard caret else { return [numbered] }
    let before = Self.text(line.dropFirst(start).prefix(column - start))
    let indent = "".padded(to: before.count + (start > 0 ? 1 : 0))
    return [numbered, "  \("".padded(to: number.count)) | \(indent)^"]
  }

  /// Part of a line, tabs as two spaces.
  private static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self).replacing("\t", with: "  ").onOneLine
  }

  /// A file's bytes, no more than a scenario may have.
  private static func read(_ file: String) -> (bytes: [UInt8], lines: LineTable) {
    let found = try? RegularFile.bytes(
      at: file, upTo: ScenarioReader.largestFile, followingLinks: true)
    let bytes = found ?? []
    return (bytes, LineTable(bytes))
  }
}
