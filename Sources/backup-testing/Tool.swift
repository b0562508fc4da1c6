import BackupContainer
import BackupDiagnostics
import BackupFileTree
import BackupSourceIndex
import BackupVerdicts
import CBackupProcess
import Foundation

/// The command-line tool. It finds the command, runs the command, and exits with the command's
/// status.
@main
enum Tool {
  /// The number of files that the process must be able to open. With fewer, Swift's libraries end
  /// the process.
  private static let requiredOpenFiles: UInt64 = 16
  /// The number of open files that the tool requests from the system.
  private static let requestedOpenFiles: UInt64 = 256

  static func main() async {
    cpr_occupy_standard_streams()
    let allArguments = arguments
    if allArguments.count == 4, allArguments[1] == IndexReader.argument {
      exit(IndexReader.print(allArguments[3], with: allArguments[2]))
    }
    requireOpenFiles()
    requireThreadsAndMemory()
    signal(SIGPIPE, SIG_IGN)
    // If a file becomes larger than 'ulimit -f' allows, let the call that writes to it fail,
    // instead of ending the tool.
    signal(SIGXFSZ, SIG_IGN)
    let arguments = Array(arguments.dropFirst())
    let commandTask = Task { () async -> ExitStatus in
      do {
        return try await run(arguments)
      } catch {
        Output.error(error)
        return .unusableInput
      }
    }
    cancelOnSignal(commandTask)
    exit(await commandTask.value.rawValue)
  }

  private static var arguments: [String] {
    guard var next = cpr_arguments() else { return CommandLine.arguments }
    var words: [String] = []
    while let word = next.pointee {
      words.append(String(cString: word))
      next += 1
    }
    return words
  }

  /// Ends the tool with an error if it cannot have enough threads or memory. Without enough threads
  /// or memory, Swift's libraries would wait forever for a thread, or would end the process.
  private static func requireThreadsAndMemory() {
    guard !cpr_lacks_memory() else { exit(ExitStatus.unusableInput.rawValue) }
    let errorNumber = cpr_can_have(Int32(ProcessInfo.processInfo.activeProcessorCount + 6))
    guard errorNumber != 0 else { return }
    Output.error(CommandError(MachineFault.words(forFailedStart: errorNumber)))
    exit(ExitStatus.unusableInput.rawValue)
  }

  private static func requireOpenFiles() {
    let count = cpr_raise_open_files(requestedOpenFiles)
    guard count < requiredOpenFiles else { return }
    Output.error(
      CommandError(
        "the tool needs at least \(requiredOpenFiles) open files, but only \(count) are allowed; "
          + "raise the limit with 'ulimit -n'"))
    exit(ExitStatus.unusableInput.rawValue)
  }

  private static func run(_ arguments: [String]) async throws -> ExitStatus {
    guard let name = arguments.first else {
      Output.error(Command.overview)
      return .unusableInput
    }
    switch name {
    case "help" where arguments.count > 1:
      return try await run(command: arguments[1], ["--help"])
    case "--help", "-h", "help":
      try Output.print(Command.overview)
      return .success
    case "--version":
      try Output.print("backup-testing \(Kit.version)\n")
      return .success
    case _ where name.hasPrefix("-"):
      throw CommandError("unknown option '\(name)' before a command; try '--help'")
    default:
      return try await run(command: name, Array(arguments.dropFirst()))
    }
  }

  private static func run(command name: String, _ arguments: [String]) async throws -> ExitStatus {
    let command = try Command.named(name)
    if arguments.contains("--help") || arguments.contains("-h") {
      try Output.print(command.help)
      return .success
    }
    for complaint in KitVariables.complaints(in: ProcessInfo.processInfo.environment) {
      Output.error("backup-testing: warning: \(complaint)\n")
    }
    do {
      let arguments = try Arguments(arguments, options: command.options)
      try command.requireOperands(in: arguments)
      return try await command.run(arguments)
    } catch {
      command.handleError(error, Arguments(arguments, options: command.options) { _ in })
      throw error
    }
  }

  /// The signals with which a user, a terminal or a build machine ends a tool.
  ///
  /// If the tool did not catch SIGQUIT, Swift would print a backtrace, which takes seconds.
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// After a signal, removes the containers, ends the processes in them, and ends the tool by the
  /// same signal. A signal that was ignored when the tool started stays ignored.
  ///
  /// The first signal cancels the command. Its runs then end like those of a canceled test, and the
  /// tool ends as soon as nothing is left to remove. A second signal ends the tool at once.
  ///
  /// If no pipe or no thread can be created, each signal ends the tool at once. The next run then
  /// removes the remaining containers.
  private static func cancelOnSignal(_ command: Task<ExitStatus, Never>) {
    var pipeEnds: [Int32] = [0, 0]
    guard cpr_pipe(&pipeEnds) == 0 else { return }
    let descriptor = pipeEnds[0]
    let errorNumber = startThread {
      guard let signal = nextSignal(from: descriptor) else { return }
      // Do this before `cancel`. In the other order, the canceled command could end the tool with
      // an ordinary exit status before the signal does.
      UnfinishedWork.shared.whenNothingIsLeft { cpr_end_by_signal(signal) }
      command.cancel()
      if let secondSignal = nextSignal(from: descriptor) { cpr_end_by_signal(secondSignal) }
    }
    guard errorNumber == 0 else { return pipeEnds.forEach { close($0) } }
    for signal in signals { _ = cpr_catch_signal(signal, pipeEnds[1]) }
  }

  /// Waits for a signal, and returns its number. Returns nil if the pipe cannot be read.
  private static func nextSignal(from descriptor: Int32) -> Int32? {
    var number: UInt8 = 0
    var count: Int
    repeat { count = read(descriptor, &number, 1) } while count < 0 && errno == EINTR
    return count == 1 ? Int32(number) : nil
  }
}
