import BackupVerdicts

/// A line of a golden file that lists an item, taken apart.
struct ListedItem {
  /// The section and the step that it is in.
  let place: [String?]
  let path: [String]
  let isDirectory: Bool
  /// Its size; nil if the line has none.
  let bytes: Int?
  let notes: [Substring]

  /// Takes a line apart; nil if it is on no item.
  init?(_ line: LineDifference.Line) {
    guard line.text.hasPrefix("+ ") || line.text.hasPrefix("- ") else { return nil }
    let parts = line.text.dropFirst(2).split(separator: "  ", omittingEmptySubsequences: false)
    let size = parts.dropFirst().first?.wholeMatch(
      of: /(?<files>\d+ files?, )?(?<bytes>\d+)(?: bytes?)?/)
    place = line.section + [line.step]
    path = parts[0].split(separator: "/").map(String.init)
    isDirectory = parts[0].last == "/"
    bytes = size.flatMap { Int($0.bytes) }
    notes = [line.text.prefix(1), size?.files ?? ""] + parts.dropFirst(size == nil ? 1 : 2)
  }
}
