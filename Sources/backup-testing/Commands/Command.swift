import BackupDiagnostics
import BackupScenarios

/// What the tool can do; adding a command means one file and one line in ``CommandList/all``.
protocol Command: Sendable {
  /// Its name.
  static var name: String { get }
  /// The operands, as the usage line shows them.
  static var operands: String { get }
  /// What it does, in a line.
  static var summary: String { get }
  /// More for `--help`, in whole paragraphs.
  static var discussion: String { get }
  /// Its options.
  static var options: [Option] { get }

  /// Does it.
  static func run(_ arguments: Arguments) async throws(CommandError) -> ExitStatus
}

/// How the tool ends.
enum ExitStatus: Int32 {
  /// All as expected.
  case success = 0
  /// A difference or an unexpected finding.
  case failure = 1
  /// Unusable input or arguments.
  case unusable = 2
}

/// Input or arguments that cannot be used.
struct CommandError: Error, CustomStringConvertible {
  /// Why, in a sentence; empty where the mistakes say it.
  let description: String
  /// The mistakes in scenario files.
  let diagnostics: [Scenario.Diagnostic]

  /// A reason in words.
  init(_ description: String) {
    self.description = description
    self.diagnostics = []
  }

  /// Mistakes in scenario files.
  init(_ diagnostics: [Scenario.Diagnostic]) {
    self.description = ""
    self.diagnostics = diagnostics
  }
}

/// The commands.
enum CommandList {
  /// In the order the help lists them.
  static let all: [any Command.Type] = [
    RunCommand.self, CheckCommand.self, NewCommand.self, ExplainCommand.self,
    RequirementsCommand.self, SchemaCommand.self, LinuxShimCommand.self,
  ]
}
