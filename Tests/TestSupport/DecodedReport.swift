/// The report of `run --format json`, as another program reads it.
package struct DecodedReport: Decodable, Sendable {
  package let format, passed, failed, skipped: Int
  package let scenarios: [Entry]
  package let obstacle: String?
  package let orphans: [String]?

  package struct Entry: Decodable, Sendable {
    package let id, file, verdict: String
    package let system, backups: String?
    package let events: [Event]
    package let findings: [Finding]
    package let problems: [Problem]?
  }

  package struct Event: Decodable, Sendable {
    package let step: Step
    package let kind: String
    package let label, pressure, version, output: String?
    package let bytes: Int64?
    package let byClass: [String: Sum]?
    package let byFolder: [Folder]?
    package let included, leftOut, taken, present, missing: [Item]?
  }

  package struct Finding: Decodable, Sendable {
    package let rule, severity, message, advice: String
    package let step: Step?
    package let line: Int?
    package let path, note: String?
    package let sources: [String]
    package let expected: Bool?
  }

  package struct Problem: Decodable, Sendable {
    package let line, column: Int
    package let fails: Bool
    package let message: String
    package let details: [String]
  }

  package struct Item: Decodable, Sendable {
    package let path, kind: String
    package let size: Int64?
    package let target, reason, decidedBy: String?

    /// All that it says, on a line: `Documents/a.txt file 10`.
    package var description: String {
      "\(path) \(kind)" + (size.map { " \($0)" } ?? "") + (target.map { " -> \($0)" } ?? "")
        + (reason.map { ": \($0)" } ?? "")
    }
  }

  package struct Sum: Decodable, Sendable {
    package let files: Int
    package let bytes: Int64
  }

  package struct Folder: Decodable, Sendable {
    package let path: String
    package let files: Int
    package let bytes: Int64
  }

  /// A step's number; `launch 1` for the first of an app's launch.
  package enum Step: Decodable, Hashable, Sendable {
    case number(Int), words(String)

    package init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Int.self) {
        self = .number(number)
      } else {
        self = .words(try container.decode(String.self))
      }
    }
  }
}
