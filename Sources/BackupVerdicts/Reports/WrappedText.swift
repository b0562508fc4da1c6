import BackupDiagnostics

/// Text for people in lines that stand in one column, at most 100 columns wide.
enum WrappedText {
  /// The widest line, in columns.
  private static let columns = 100

  /// A text in lines, the first behind what stands there.
  ///
  /// - Parameters:
  ///   - text: Words, parted by spaces.
  ///   - start: What the first line begins with.
  ///   - indent: The column in which the text begins.
  /// - Returns: The lines, without LF; a word that is too long has a line of its own.
  static func lines(_ text: String, after start: String = "", indent: Int) -> [String] {
    var lines: [String] = []
    var line = start.padded(to: indent)
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > columns {
        lines.append(line)
        line = "".padded(to: indent)
        isEmpty = true
      }
      line += isEmpty ? "\(word)" : " \(word)"
      isEmpty = false
    }
    return lines + [line]
  }
}
