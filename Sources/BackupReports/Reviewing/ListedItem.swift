import BackupVerdicts

/// A line of a golden file that lists an item, taken apart.
struct ListedItem {
  let path: [String]
  let facts: Facts

  /// The line without its path: equal if the item was renamed or moved.
  struct Facts: Hashable {
    /// The section and the step.
    let place: [String?]
    let isDirectory: Bool
    /// The size; nil if the line has none.
    let bytes: Int?
    let notes: [Substring]
  }

  /// Takes a line apart; nil if it is on no item.
  init?(_ line: LineDifference.Line) {
    guard line.text.hasPrefix("+ ") || line.text.hasPrefix("- ") else { return nil }
    let parts = line.text.dropFirst(2).split(separator: "  ", omittingEmptySubsequences: false)
    let size = parts.dropFirst().first?.wholeMatch(
      of: /(?<files>\d+ files?, )?(?<bytes>\d+)(?: bytes?)?/)
    path = parts[0].split(separator: "/").map(String.init)
    facts = Facts(
      place: line.section + [line.step], isDirectory: parts[0].last == "/",
      bytes: size.flatMap { Int($0.bytes) },
      notes: [line.text.prefix(1), size?.files ?? ""] + parts.dropFirst(size == nil ? 1 : 2))
  }
}
