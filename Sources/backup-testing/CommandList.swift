import BackupDiagnostics

extension Command {
  /// The commands, in the order the help lists them.
  static let all: [Command] = [
    .run, .explore, .check, .new, .explain, .inspect, .advise, .exportBackup, .compareBackup,
    .schema,
    .linuxShim, .probeSource,
  ]

  /// The command of a name.
  ///
  /// - Throws: ``CommandError`` for an unknown name, with the nearest there is.
  static func named(_ name: String) throws(CommandError) -> Command {
    if let command = all.first(where: { $0.name == name }) { return command }
    let advice = NearestWord.advice(for: name, in: all.map(\.name))
    throw CommandError("there is no command '\(name)'; \(advice)")
  }

  /// What `--help` without a command prints: what the tool is, and a line for each command.
  static var overview: String {
    let width = all.map(\.name.count).max() ?? 0
    let commands = all.map { "  \($0.name.padded(to: width))  \($0.summary)\n" }
    return """
      Runs scenarios of an iOS app's files against what iOS backs up, purges, updates and restores.

      Usage: backup-testing COMMAND [OPTIONS]

      Commands:
      \(commands.joined())
      'backup-testing COMMAND --help' says more. '--version' prints the version.
      Exit status: 0 all as expected, 1 a difference or an unexpected finding, 2 unusable input.

      """
  }
}
