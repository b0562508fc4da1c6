import BackupDiagnostics

extension Command {
  /// Editors and commit hooks use this command. They need each mistake with its line, and quickly.
  static let check = Command(
    name: "check",
    operands: "[FOLDER|FILE|ID…]",
    summary: "Reads scenarios without running them, and prints every mistake.",
    discussion: "By default, the folder Scenarios is read.",
    options: [.filter]
  ) { arguments in
    let count = try ScenarioSelection(arguments).readFolders().reduce(0) { $0 + $1.scenarios.count }
    try Output.print("\(count.counted("scenario")): no mistakes\n")
    return .success
  }
}
