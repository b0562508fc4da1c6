import BackupDiagnostics
import BackupJSON5

/// `run: ["./tool", "argument"]`: code of the app that is not Swift, as a process.
struct RunStep: StepAction {
  static let keyword = "run"

  /// The most that may be written in a step.
  static let largestCount = 256
  /// The most bytes of all words.
  static let largestSize = 65_536
  /// The longest time limit, in seconds.
  static let longestTime = 3600.0

  /// The time limit where the step says none, in seconds.
  static let defaultTime = 60.0

  /// The tool and its arguments.
  let words: [String]
  /// How long it may take, in seconds.
  let timeLimit: Double

  init?(reading step: inout StepReader) {
    let words = Self.words(step.subject, step.collector)
    let limit = step.optional("timeLimit")
    let collector = step.collector
    let seconds = limit.map { Self.seconds($0, collector) } ?? Self.defaultTime
    guard let words, let seconds else { return nil }
    self.words = words
    self.timeLimit = seconds
  }

  /// The tool and its arguments, or noted mistakes.
  private static func words(
    _ value: LocatedValue, _ collector: DiagnosticCollector
  ) -> [String]? {
    let expected = "strings: the tool and its arguments"
    guard let values = value.array(of: expected, collector) else { return nil }
    let words = values.compactMap { word($0, collector) }
    guard words.count == values.count else { return nil }
    guard let tool = words.first, !tool.isEmpty else {
      let place = values.first?.position ?? value.position
      collector.error("no tool is named; expected such as [\"./tool\", \"argument\"]", at: place)
      return nil
    }
    let size = words.reduce(0) { $0 + $1.utf8.count }
    guard words.count <= largestCount, size <= largestSize else {
      collector.error(
        "at most \(largestCount) strings with \(largestSize) bytes in all can stand here; "
          + "put what is long into a file beside the tool", at: value.position)
      return nil
    }
    return words
  }

  /// One word, which no process could take with a NUL in it.
  private static func word(_ value: LocatedValue, _ collector: DiagnosticCollector) -> String? {
    guard let word = value.string("a string", collector) else { return nil }
    guard !word.utf8.contains(0) else {
      collector.error("an argument cannot hold the character NUL", at: value.position)
      return nil
    }
    return word
  }

  /// The time limit, or a noted mistake.
  private static func seconds(_ value: LocatedValue, _ collector: DiagnosticCollector) -> Double? {
    if case .number(let number) = value.kind, number.double > 0, number.double <= longestTime {
      return number.double
    }
    collector.error(
      "expected seconds, more than 0 and at most \(Int(longestTime))", at: value.position)
    return nil
  }

  var summary: String {
    "run \(words.map { EscapedText.escape($0.cut(to: 80)) }.joined(separator: " ").cut(to: 80))"
  }
  static let actor = StepActor.app

  func perform(in run: inout ScenarioRun) async throws(StepFailure) {
    try await run.runTool(words, timeLimit: timeLimit)
  }
}
