import CBackupProcess
import Foundation

/// The command-line tool: finds the command, runs it, and ends with its status.
@main
enum Tool {
  /// How many files have to be able to be open; with fewer the libraries below end the process.
  private static let leastOpenFiles: UInt64 = 16
  /// How many are asked for.
  private static let usualOpenFiles: UInt64 = 256

  /// Runs a command and ends with its status.
  static func main() async {
    cpr_occupy_standard_streams()
    requireOpenFiles()
    signal(SIGPIPE, SIG_IGN)
    let command = Task { await status(of: Array(CommandLine.arguments.dropFirst())) }
    Interruption.cancels(command)
    exit(await command.value.rawValue)
  }

  /// Ends the tool where too few files can be open.
  private static func requireOpenFiles() {
    let count = cpr_raise_open_files(usualOpenFiles)
    guard count < leastOpenFiles else { return }
    Output.error(
      CommandError(
        "only \(count) files can be open at a time, and at least \(leastOpenFiles) have to be: raise "
          + "the number with 'ulimit -n'"))
    exit(ExitStatus.unusable.rawValue)
  }

  /// Runs a command, and says why where it cannot be done.
  private static func status(of arguments: [String]) async -> ExitStatus {
    do throws(CommandError) {
      return try await run(arguments)
    } catch {
      Output.error(error)
      return .unusable
    }
  }

  /// Finds the command and runs it.
  private static func run(_ arguments: [String]) async throws(CommandError) -> ExitStatus {
    guard let name = arguments.first else {
      Output.error(CommandList.overview)
      return .unusable
    }
    switch name {
    case "help" where arguments.count > 1:
      return try await run(command: arguments[1], ["--help"])
    case "--help", "-h", "help":
      try Output.print(CommandList.overview)
      return .success
    case "--version":
      try Output.print("backup-testing \(ToolVersion.current)\n")
      return .success
    case _ where name.hasPrefix("-"):
      throw CommandError("there is no option '\(name)' before a command; try '--help'")
    default:
      return try await run(command: name, Array(arguments.dropFirst()))
    }
  }

  /// Runs the command of a name.
  private static func run(
    command name: String, _ arguments: [String]
  ) async throws(CommandError) -> ExitStatus {
    let command = try CommandList.command(named: name)
    if arguments.contains("--help") || arguments.contains("-h") {
      try Output.print(command.help)
      return .success
    }
    do throws(CommandError) {
      return try await command.run(Arguments(arguments, options: command.options))
    } catch {
      command.stop(for: error, Arguments(arguments, options: command.options) { _ in })
      throw error
    }
  }
}
