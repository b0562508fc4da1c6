/// `check`: reads scenarios without running them.
enum CheckCommand: Command {
  static let name = "check"
  static let operands = "[FOLDER|FILE|ID…]"
  static let summary = "Reads scenarios without running them, and shows every mistake."
  static let discussion = "Without a folder, file or id, the folder Scenarios is read."
  static let options = [ScenarioSelection.filterOption]

  static func run(_ arguments: Arguments) async throws(CommandError) -> ExitStatus {
    let count = try ScenarioSelection(arguments).parts().reduce(0) { $0 + $1.scenarios.count }
    try Output.print("\(count == 1 ? "1 scenario" : "\(count) scenarios"): no mistakes\n")
    return .success
  }
}
