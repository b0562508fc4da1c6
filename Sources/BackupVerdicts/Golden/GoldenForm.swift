import BackupCollections
import BackupDiagnostics
import BackupScenarios

/// The form that golden files have, and what there is to say of a text that has another.
enum GoldenForm {
  /// The number of the format, the first that there is.
  private static let number = 1
  /// What the first line begins with, before the number.
  private static let keyword = "# golden "
  /// What version control begins a line with that it could not merge.
  private static let conflictMarkers = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"]

  /// The first line: the format's number and the scenario.
  static func header(of scenario: Scenario) -> String {
    "\(keyword)\(number): \(EscapedText.escape(scenario.id))"
  }

  /// The text of a golden file as this scenario's would begin; its id is for people, so that a file
  /// renamed with its scenario stays right.
  ///
  /// - Parameters:
  ///   - text: The golden file's text.
  ///   - scenario: The scenario that it is of.
  ///   - path: The golden file, for messages.
  /// - Returns: The text, of which only the first line may be another.
  /// - Throws: ``RunError`` where the text cannot be compared: of a later format, left in the midst
  ///   of a merge, or none of the kit's.
  static func text(
    _ text: String, of scenario: Scenario, at path: String
  ) throws(RunError) -> String {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    if let line = lines.firstIndex(where: isConflictMarker) {
      throw RunError(
        .notGolden,
        "\(path):\(line + 1): the golden file is in the midst of a merge; choose one side and take "
          + "out the markers, or record it anew")
    }
    let first = lines.first.map(String.init) ?? ""
    guard first.hasPrefix(keyword), let found = number(in: first) else {
      throw RunError(
        .notGolden,
        "\(path):1: a golden file begins with '\(keyword)\(number): ' and the scenario's id; record "
          + "it anew")
    }
    guard found <= number else {
      throw RunError(
        .laterFormat,
        "\(path):1: the golden file is of format \(found), written by a later version of the kit, "
          + "and this one knows format \(number) only; use that version, or record it anew")
    }
    return header(of: scenario) + text.dropFirst(first.count)
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
