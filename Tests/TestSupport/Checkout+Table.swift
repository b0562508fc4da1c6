import Foundation

extension Checkout {
  /// Reads a Markdown table of an article. In a cell, `\|` stands for the character `|`.
  ///
  /// - Parameters:
  ///   - heading: The heading of the table's first column.
  ///   - article: The article's name, for example `Glossary`.
  ///   - section: A heading with `##`. The function then reads every table of that section with
  ///     this first column. If `section` is nil, it reads the article's first table with this
  ///     column.
  /// - Returns: The cells of each row, without the row of headings.
  /// - Throws: ``TestError`` if no table has this first column.
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

  private static func cells(of row: String) -> [String] {
    row.replacing("\\|", with: "\u{0}").split(separator: "|").map { cell in
      cell.trimmingCharacters(in: .whitespaces).replacing("\u{0}", with: "|")
    }
  }
}
