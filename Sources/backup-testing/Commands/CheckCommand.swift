import BackupDiagnostics

/// `check`: reads scenarios without running them.
///
/// It is for editors and commit hooks, which want every mistake at its line in no time.
enum CheckCommand: Command {
  static let name = "check"
  static let operands = "[FOLDER|FILE|ID…]"
  static let summary = "Reads scenarios without running them, and shows every mistake."
  static let discussion = "Without a folder, file or id, the folder Scenarios is read."
  static let options: [Option] = [.filter]

  static func run(_ arguments: Arguments) async throws(CommandError) -> ExitStatus {
    let count = try ScenarioSelection(arguments).parts().reduce(0) { $0 + $1.scenarios.count }
    try Output.print("\(count.counted("scenario")): no mistakes\n")
    return .success
  }
}
