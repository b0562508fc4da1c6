import Foundation

/// A scenario file with placeholders, from which scenarios of any length are made.
///
/// A line with a running number is repeated n times. The number starts at 0.
///
/// | in a line | meaning |
/// |---|---|
/// | `{n}`, `{n+1}` | the running number, or the number plus 1 |
/// | `{n/100}`, `{n%100}` | the running number divided by 100, or the remainder |
/// | `{old\|new}` | `old` while the golden file is recorded, `new` when it is compared |
/// | `// n/3 times`, `// 100 times` at the end | the line is repeated this number of times |
///
/// Lines with these comments are options:
///
/// | line | meaning |
/// |---|---|
/// | `// sizes: 100, 1000` | the values of n |
/// | `// limit: 5 s, 200 MB` | the most time and memory at n = 3000 |
/// | `// allocations: 90` | the most allocations divided by n, at the largest n |
/// | `// command: explain` | the tool's command |
struct SeriesTemplate: Sendable {
  /// The file's name without its extension.
  let name: String
  /// The values of n; nil for the default.
  let sizes: [Int]?
  /// The limit at n = 3000; nil for no limit.
  let limit: SeriesLimit?
  /// The largest allowed number of allocations divided by n; nil for no limit.
  let mostAllocations: Double?
  /// The tool's command, `run` or `explain`.
  let command: String
  private let lines: [SeriesLine]

  init(name: String, text: String) throws(SeriesMistake) {
    self.name = name
    let rows = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    sizes = try Self.option("sizes", in: rows).map { value throws(SeriesMistake) in
      let words = value.components(separatedBy: ", ")
      let sizes = words.compactMap { Int($0) }
      guard sizes.count == words.count else { throw SeriesMistake("\(name): sizes: \(value)") }
      return sizes
    }
    limit = try Self.option("limit", in: rows).map { value throws(SeriesMistake) in
      guard let limit = SeriesLimit(value) else { throw SeriesMistake("\(name): limit: \(value)") }
      return limit
    }
    mostAllocations = try Self.option("allocations", in: rows).map { value throws(SeriesMistake) in
      guard let most = Double(value) else { throw SeriesMistake("\(name): allocations: \(value)") }
      return most
    }
    command = Self.option("command", in: rows) ?? "run"
    lines = rows.map(SeriesLine.init)
  }

  /// Returns the templates in a folder, sorted by name.
  static func all(in folder: URL) throws -> [SeriesTemplate] {
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    let templates = try files.filter { $0.pathExtension == "json5" }.map { file in
      try SeriesTemplate(
        name: file.deletingPathExtension().lastPathComponent,
        text: String(contentsOf: file, encoding: .utf8))
    }
    return templates.sorted { $0.name < $1.name }
  }

  /// True if a golden file is recorded from other lines, before the run that is measured.
  var isRecorded: Bool { lines.contains(where: \.hasVersions) }

  /// True if the scenario has `perform` steps, which the tool cannot run.
  var performs: Bool { lines.contains { $0.contains("perform:") } }

  /// Returns the scenario file for n = `count`, as it is while the golden file is recorded or
  /// later.
  func scenario(_ count: Int, isRecording: Bool = false) -> String {
    lines.map { $0.repeated(count, isRecording: isRecording) }.joined()
  }

  /// Returns the value of an option, for example `5 s, 200 MB` for `limit`.
  private static func option(_ name: String, in rows: [String]) -> String? {
    rows.first { $0.hasPrefix("// \(name): ") }.map { String($0.dropFirst(name.count + 5)) }
  }
}

/// The most time and memory that a series may need.
struct SeriesLimit: Sendable {
  let seconds: Double
  let bytes: Double

  /// Parses a limit such as `5 s, 200 MB`.
  init?(_ text: String) {
    let words = text.components(separatedBy: " ")
    guard words.count == 4, words[1] == "s,", words[3] == "MB", let seconds = Double(words[0]),
      let megabytes = Double(words[2])
    else { return nil }
    self.seconds = seconds
    self.bytes = megabytes * 1e6
  }
}

/// A mistake in a template or in an argument.
struct SeriesMistake: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
