import Foundation

/// A scenario file with lines that are repeated, from which scenarios of any length are made.
///
/// The file is a scenario as it stands. A line that holds one of these is there n times, the number
/// running from 0:
///
/// | in a line | stands for |
/// |---|---|
/// | `{n}`, `{n+1}` | the running number, or so much more |
/// | `{n/100}`, `{n%100}` | the running number divided by 100, or what is left over |
/// | `{old\|new}` | `old` where the golden file is recorded, `new` where it is compared |
/// | `// n/3 times`, `// 100 times` at its end | the line is there so often instead |
///
/// A line `// sizes: 100, 1000` says for which n it is measured, a line `// limit: 5 s, 200 MB`
/// what the largest of them may take, a line `// allocations: 90` the most allocations of
/// the largest for each of n, a line `// command: explain` which command of the tool is run.
struct SeriesTemplate: Sendable {
  /// The file's name without its extension.
  let name: String
  /// For which n it is measured; nil for the usual.
  let sizes: [Int]?
  /// What the largest of the usual sizes may take; nil for anything.
  let limit: SeriesLimit?
  /// The most allocations for each of n; nil for any number.
  let mostAllocations: Double?
  /// The tool's command, `run` or `explain`.
  let command: String
  /// The lines of the file.
  private let lines: [SeriesLine]

  init(name: String, text: String) throws(SeriesMistake) {
    self.name = name
    let rows = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    sizes = try Self.note("sizes", in: rows).map { note throws(SeriesMistake) in
      let words = note.components(separatedBy: ", ")
      let sizes = words.compactMap { Int($0) }
      guard sizes.count == words.count else { throw SeriesMistake("\(name): sizes: \(note)") }
      return sizes
    }
    limit = try Self.note("limit", in: rows).map { note throws(SeriesMistake) in
      guard let limit = SeriesLimit(note) else { throw SeriesMistake("\(name): limit: \(note)") }
      return limit
    }
    mostAllocations = try Self.note("allocations", in: rows).map { note throws(SeriesMistake) in
      guard let most = Double(note) else { throw SeriesMistake("\(name): allocations: \(note)") }
      return most
    }
    command = Self.note("command", in: rows) ?? "run"
    lines = rows.map(SeriesLine.init)
  }

  /// The templates of a folder, by name.
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

  /// Whether its golden file is recorded from other lines than it is compared with.
  var isRecorded: Bool { lines.contains(where: \.hasVersions) }

  /// Whether it holds steps that only a program with the code bound can run.
  var performs: Bool { lines.contains { $0.contains("perform:") } }

  /// The scenario file for a number, as it is when the golden file is recorded, or later.
  func scenario(_ count: Int, isRecording: Bool = false) -> String {
    lines.map { $0.repeated(count, isRecording: isRecording) }.joined()
  }

  /// What a comment line of its own says on a subject.
  private static func note(_ subject: String, in rows: [String]) -> String? {
    rows.first { $0.hasPrefix("// \(subject): ") }.map { String($0.dropFirst(subject.count + 5)) }
  }
}

/// What a series may take at its largest.
struct SeriesLimit: Sendable {
  let seconds: Double
  let bytes: Double

  /// A limit as a template has it: `5 s, 200 MB`; nil where it is none.
  init?(_ text: String) {
    let words = text.components(separatedBy: " ")
    guard words.count == 4, words[1] == "s,", words[3] == "MB", let seconds = Double(words[0]),
      let megabytes = Double(words[2])
    else { return nil }
    self.seconds = seconds
    self.bytes = megabytes * 1e6
  }
}

/// Why a template or an argument cannot be used.
struct SeriesMistake: Error, CustomStringConvertible {
  /// What is wrong with it.
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
