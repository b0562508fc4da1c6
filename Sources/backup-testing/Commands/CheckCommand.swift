import BackupDiagnostics

extension Command {
  /// `check`: reads scenarios without running them.
  ///
  /// It is for editors and commit hooks, which want every mistake at its line in no time.
  static let check = Command(
    name: "check",
    operands: "[FOLDER|FILE|ID…]",
    summary: "Reads scenarios without running them, and prints every mistake.",
    discussion: "By default, the folder Scenarios is read.",
    options: [.filter],
    run: checkScenarios)

  private static func checkScenarios(_ arguments: Arguments) async throws -> ExitStatus {
    let count = try ScenarioSelection(arguments).parts().reduce(0) { $0 + $1.scenarios.count }
    try Output.print("\(count.counted("scenario")): no mistakes\n")
    return .success
  }
}
