import BackupDiagnostics

/// A command of the tool. To add a command, add a file in `Commands`, and add the command to
/// ``all``.
///
/// The help and the check of arguments are derived from the declaration. Each command needs a row
/// in the article CommandLine, or a test fails.
struct Command: Sendable {
  let name: String
  /// The operands as the usage line shows them. Empty if there are none.
  var operands = ""
  var operandCounts = 0...Int.max
  /// The words that an operand can be, for completion in shells. Empty if there is no fixed list.
  var possibleOperands: [String] = []
  let summary: String
  /// The text of `--help` after the summary, in whole paragraphs.
  let discussion: String
  let options: [Option]
  /// The environment variables that the command reads, without those that every command reads.
  var variables: [EnvironmentVariable] = []
  /// Runs the command with its arguments, and returns the exit status of the tool.
  let run: @Sendable (Arguments) async throws -> ExitStatus
  /// Handles an error of the command before the tool prints the error. It receives the arguments
  /// that could be parsed.
  var handleError: @Sendable (any Error, Arguments) -> Void = { _, _ in }

  private var usage: String {
    ["usage: backup-testing \(name)", "[OPTIONS]", operands]
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  var help: String {
    let options = options + [Option("--help", "print this")]
    return """
      \(summary)

      U\(usage.dropFirst())

      \(discussion)

      Options:
      \(Self.table(options.map { ($0.usage, $0.summary) }))
      Environment variables:
      \(Self.table((variables + EnvironmentVariable.outputVariables).map { ($0.name, $0.summary) }))
      """
  }

  /// Returns a table of names and summaries, one row for each.
  private static func table(_ rows: [(name: String, summary: String)]) -> String {
    let width = rows.map(\.name.count).max() ?? 0
    return rows.map { "  \($0.name.padded(to: width))  \($0.summary)\n" }.joined()
  }

  func requireOperands(in arguments: Arguments) throws {
    guard !operandCounts.contains(arguments.operands.count) else { return }
    if let extra = arguments.operands.dropFirst(operandCounts.upperBound).first {
      throw CommandError("'\(extra)' is one argument too many; \(usage)")
    }
    throw CommandError("an argument is missing; \(usage)")
  }

  /// The commands in the order of the help.
  static let all: [Command] = [
    .initialize, .test, .run, .report, .review, .pending, .accept, .reject, .convert, .explore,
    .check, .new,
    .explain, .saves, .inspect, .advise, .exportBackup, .compareBackup, .schema, .linuxShim,
    .probeSource, .probeApp, .completions,
  ]

  static func named(_ name: String) throws -> Command {
    if let command = all.first(where: { $0.name == name }) { return command }
    let advice = NearestWord.advice(for: name, in: all.map(\.name))
    throw CommandError("unknown command '\(name)'; \(advice)")
  }

  static var overview: String {
    """
    Tests what happens to an iOS app's files when iOS backs up, purges, updates and restores.

    Usage: backup-testing COMMAND [OPTIONS]

    Commands:
    \(table(all.map { ($0.name, $0.summary) }))
    Environment variables of tests:
    \(table(EnvironmentVariable.testVariables.map { ($0.name, $0.summary) }))
    'backup-testing COMMAND --help' says more. '--version' prints the version.
    Exit status: 0 as expected, 1 a difference or an unexpected finding, 2 an unusable input.

    """
  }
}

enum ExitStatus: Int32 {
  case success = 0
  case failure = 1
  case unusableInput = 2
}

struct CommandError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }

  /// Calls a function that uses the value of an option. The message of an error begins with the
  /// option's name.
  static func naming<Result>(
    _ option: Option, _ work: () throws -> Result
  ) throws(CommandError) -> Result {
    do {
      return try work()
    } catch {
      throw CommandError("\(option.name): \(error)")
    }
  }
}
