import BackupCollections
import BackupDiagnostics
import BackupScenarios

/// The number of the golden files' format, the first that there is.
private let formatNumber = 1
/// What the first line begins with, before the number.
private let keyword = "# golden "
/// What version control begins a line with that it could not merge.
private let conflictMarkers = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"]

extension Scenario {
  /// The first line of its golden file: the format's number and the scenario.
  var goldenHeader: String { "\(keyword)\(formatNumber): \(EscapedText.escape(id))" }

  /// The text of a golden file as the scenario's would begin; its id is for people, so that a file
  /// renamed with its scenario stays right. A later format and an unfinished merge are errors.
  func goldenFile(_ text: String, at path: String) throws(RunError) -> String {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    if let line = lines.firstIndex(where: Self.isConflictMarker) {
      throw RunError(
        .notGolden,
        "\(path):\(line + 1): the golden file has merge conflict markers; choose one side and "
          + "remove them, or record it again")
    }
    let first = lines.first.map(String.init) ?? ""
    guard first.hasPrefix(keyword), let found = Self.number(in: first) else {
      throw RunError(
        .notGolden,
        "\(path):1: the golden file must begin with '\(keyword)\(formatNumber): ' and the "
          + "scenario's id; record it again")
    }
    guard found <= formatNumber else {
      throw RunError(
        .laterFormat,
        "\(path):1: the golden file has format \(found), which a later version of the kit wrote; "
          + "this version reads only format \(formatNumber). Use the later version, or record it "
          + "again")
    }
    return goldenHeader + text.dropFirst(first.count)
  }

  /// The format's number in a first line, nil for none.
  private static func number(in line: String) -> Int? {
    let digits = line.dropFirst(keyword.count).prefix { $0 != ":" }
    return line.contains(":") ? Int(digits).flatMap { $0 > 0 ? $0 : nil } : nil
  }

  /// Whether version control has written a line.
  private static func isConflictMarker(_ line: Substring.UnicodeScalarView) -> Bool {
    let text = Substring(line)
    return conflictMarkers.contains { text == $0 || text.hasPrefix("\($0) ") }
  }
}
