import Foundation

extension Checkout {
  /// The cells of the rows of a table in an article; `\|` is no end of a cell.
  ///
  /// - Parameters:
  ///   - heading: What the first column is headed by.
  ///   - article: The article's name.
  ///   - section: The heading that the tables are below, of which all rows are taken; nil for the
  ///     article's first table.
  /// - Returns: The rows below the head.
  /// - Throws: ``TestError`` where there is no such table.
  package static func table(
    _ heading: String, in article: String, below section: String? = nil
  ) throws -> [[String]] {
    var lines = try self.article(article).components(separatedBy: "\n")[...]
    if let section {
      lines = lines.drop { $0 != "## \(section)" }.dropFirst().prefix { !$0.hasPrefix("## ") }
    }
    var rows: [[String]] = []
    while let start = lines.firstIndex(where: { $0.hasPrefix("| \(heading) |") }) {
      let table = lines[start...].prefix { $0.hasPrefix("|") }
      rows += table.dropFirst(2).map(cells)
      lines = section == nil ? [] : lines[table.endIndex...]
    }
    guard !rows.isEmpty else {
      throw TestError("\(article).md has no table that begins with '\(heading)'")
    }
    return rows
  }

  /// The cells of a row, without spaces at their ends.
  private static func cells(of row: String) -> [String] {
    row.replacing("\\|", with: "\u{0}").split(separator: "|").map { cell in
      cell.trimmingCharacters(in: .whitespaces).replacing("\u{0}", with: "|")
    }
  }
}
