import BackupDiagnostics
import BackupJSON5

/// `run: ["./tool", "argument"]`: code of the app that is not Swift, as a process.
struct RunStep: StepAction {
  /// The most that may be written in a step.
  fileprivate static let largestCount = 256
  /// The most bytes of all words.
  fileprivate static let largestSize = 65_536
  /// The longest time limit, in seconds.
  fileprivate static let longestTime = 3600

  /// The keyword, with the tool and its arguments.
  private static let wordsField = Field(
    "run", .commandLine, default: .required,
    "The tool and its arguments, at most \(largestSize) bytes in all.")
  /// `timeLimit`, in seconds.
  private static let timeLimitField = Field(
    "timeLimit", .seconds, default: .value(60),
    "How many seconds it may take; it is killed then.")

  static let declaration = StepDeclaration(
    wordsField, by: .app,
    "The app's code that is not Swift runs as a process, which has to be permitted.",
    examples: [["run": ["./tool", "argument"], "timeLimit": 10]], beside: [timeLimitField])

  static let runsCode = true

  /// The tool and its arguments.
  let words: [String]
  /// How long it may take, in seconds.
  let timeLimit: Double

  init?(reading step: ObjectReader) {
    guard let words = step[Self.wordsField], let timeLimit = step[Self.timeLimitField],
      !step.isMistaken(Self.timeLimitField)
    else { return nil }
    self.words = words
    self.timeLimit = timeLimit
  }

  var summary: String {
    "run \(words.map { EscapedText.escape($0.cut(to: 80)) }.joined(separator: " ").cut(to: 80))"
  }

  func perform(in run: inout ScenarioRun) async throws(StepFailure) {
    try await run.runProcess(words, timeLimit: timeLimit)
  }
}

extension Form where Value == [String] {
  /// A tool and its arguments.
  fileprivate static var commandLine: Form {
    let expected = "strings: the tool and its arguments"
    return Form(
      expected: expected, words: "list of texts",
      schema: [
        "type": "array", "minItems": 1, "maxItems": .number(Double(RunStep.largestCount)),
        "prefixItems": [["type": "string", "pattern": #"^[^\u0000]+$"#]],
        "items": ["type": "string", "pattern": #"^[^\u0000]*$"#],
      ]
    ) { list in
      guard let values = list.elements(of: expected) else { return nil }
      let words = values.compactMap(word)
      guard words.count == values.count else { return nil }
      guard let tool = words.first, !tool.isEmpty else {
        (values.first ?? list).note(
          "no tool is named; expected such as [\"./tool\", \"argument\"]")
        return nil
      }
      let size = words.reduce(0) { $0 + $1.utf8.count }
      guard words.count <= RunStep.largestCount, size <= RunStep.largestSize else {
        list.note(
          "at most \(RunStep.largestCount) strings with \(RunStep.largestSize) bytes in all can "
            + "stand here; put what is long into a file beside the tool")
        return nil
      }
      return words
    }
  }

  /// One word, which no process could take with a NUL in it.
  @Sendable private static func word(_ reader: ValueReader) -> String? {
    guard let word = reader.string("a string") else { return nil }
    guard !word.utf8.contains(0) else {
      reader.note("an argument cannot hold the character NUL")
      return nil
    }
    return word
  }
}

extension Form where Value == Double {
  /// A time limit in seconds.
  fileprivate static var seconds: Form {
    let expected = "seconds, more than 0 and at most \(RunStep.longestTime)"
    return Form(
      expected: expected, words: "number",
      schema: [
        "type": "number", "exclusiveMinimum": 0, "maximum": .number(Double(RunStep.longestTime)),
      ]
    ) { reader in
      if case .number(let number) = reader.value.kind, number.double > 0,
        number.double <= Double(RunStep.longestTime)
      {
        return number.double
      }
      reader.note("expected \(expected)")
      return nil
    }
  }
}
