import BackupDiagnostics
import BackupJSON5

extension StepKind {
  static let run: StepKind = {
    let words = Field(
      "run", .commandLine, default: .required,
      "The tool and its arguments, at most \(highestByteCount.formattedSize) in all.")
    let timeLimit = Field(
      "timeLimit", .seconds, default: .value(.number(CodeStep.usualTimeLimit)),
      "The number of seconds after which the kit kills the program.")
    return StepKind(
      .run, words,
      "The kit starts a program, for app code that is not Swift. The step needs your permission.",
      examples: [["run": ["./tool", "argument"], "timeLimit": 10]], beside: [timeLimit]
    ) { step in
      guard let words = step[words], let limit = step[timeLimit], !step.isInvalid(timeLimit)
      else { return nil }
      return .code(.run(words, timeLimit: limit))
    }
  }()
}

extension CodeStep {
  /// The time limit of a `run` step without `timeLimit`, in seconds.
  static let usualTimeLimit = 60.0
}

/// The largest number of strings in a command line.
private let highestStringCount = 256
/// The largest size of all strings in a command line together, in bytes.
private let highestByteCount = 65_536
/// The longest time limit, in seconds.
private let longestTimeLimit = 3600

extension Form where Value == [String] {
  fileprivate static var commandLine: Form {
    let expected = "strings: the tool and its arguments"
    return Form(
      expected: expected, words: "list of strings",
      schema: [
        "type": "array", "minItems": 1, "maxItems": .number(Double(highestStringCount)),
        "prefixItems": [["type": "string", "pattern": #"^[^\u0000]+$"#]],
        "items": ["type": "string", "pattern": #"^[^\u0000]*$"#],
      ]
    ) { list in
      guard let values = list.elements(of: expected) else { return nil }
      let words = values.compactMap(argument)
      guard words.count == values.count else { return nil }
      guard let tool = words.first, !tool.isEmpty else {
        return (values.first ?? list).refuse(
          "the list is empty; name a tool, such as [\"./tool\", \"argument\"]")
      }
      let byteCount = words.reduce(0) { $0 + $1.utf8.count }
      guard words.count <= highestStringCount, byteCount <= highestByteCount else {
        return list.refuse(
          "the list is too long; at most \(highestStringCount) strings with "
            + "\(highestByteCount.formattedSize) in all are allowed. Put long text into a file beside "
            + "the tool")
      }
      return words
    }
  }

  /// Reads one string of a command line. NUL is a mistake, because an argument of a process cannot
  /// contain it.
  @Sendable private static func argument(_ reader: ValueReader) -> String? {
    guard let text = reader.string("a string") else { return nil }
    guard !text.utf8.contains(0) else {
      return reader.refuse("an argument cannot contain the character NUL")
    }
    return text
  }
}

extension Form where Value == Double {
  fileprivate static var seconds: Form {
    let expected = "seconds, more than 0 and at most \(longestTimeLimit)"
    return Form(
      expected: expected, words: "number",
      schema: [
        "type": "number", "exclusiveMinimum": 0, "maximum": .number(Double(longestTimeLimit)),
      ]
    ) { reader in
      if case .number(let number) = reader.value.kind, number.double > 0,
        number.double <= Double(longestTimeLimit)
      {
        return number.double
      }
      return reader.refuse("expected \(expected)")
    }
  }
}
