/// Writes the help.
enum Help {
  /// What the tool is and its commands.
  static var overview: String {
    let width = CommandList.all.map { $0.name.count }.max() ?? 0
    let commands = CommandList.all.map { command in
      "  \(pad(command.name, to: width))  \(command.summary)\n"
    }
    return """
      Runs scenarios of an iOS app's files against what iOS backs up, purges, updates and restores.

      Usage: backup-testing COMMAND [OPTIONS]

      Commands:
      \(commands.joined())
      'backup-testing COMMAND --help' says more. '--version' prints the version.
      Exit status: 0 all as expected, 1 a difference or an unexpected finding, 2 unusable input.

      """
  }

  /// One command, with its options.
  static func text(of command: any Command.Type) -> String {
    let options = command.options + [Option("--help", nil, "print this")]
    let names = options.map { [$0.name, $0.valueName].compactMap(\.self).joined(separator: " ") }
    let width = names.map(\.count).max() ?? 0
    let lines = zip(names, options).map { "  \(pad($0, to: width))  \($1.summary)\n" }
    let discussion = command.discussion.isEmpty ? "" : "\n\(command.discussion)\n"
    let usage = "U\(usage(of: command).dropFirst())\n"
    return "\(command.summary)\n\n\(usage)\(discussion)\nOptions:\n\(lines.joined())"
  }

  /// How a command is called, in a line.
  static func usage(of command: any Command.Type) -> String {
    ["usage: backup-testing \(command.name)", "[OPTIONS]", command.operands]
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// A text filled up with spaces.
  private static func pad(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
