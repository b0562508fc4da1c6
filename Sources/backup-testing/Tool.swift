import BackupContainer
import BackupDiagnostics
import BackupFileTree
import BackupSourceIndex
import BackupVerdicts
import CBackupProcess
import Foundation

/// The command-line tool: finds the command, runs it, and ends with its status.
@main
enum Tool {
  /// The number of files that the process must be able to open. With fewer, the libraries below end it.
  private static let leastOpenFiles: UInt64 = 16
  private static let usualOpenFiles: UInt64 = 256

  static func main() async {
    cpr_occupy_standard_streams()
    let words = arguments
    if words.count == 4, words[1] == IndexReader.argument {
      exit(IndexReader.print(words[3], with: words[2]))
    }
    requireOpenFiles()
    requireThreadsAndMemory()
    signal(SIGPIPE, SIG_IGN)
    // A file that grows too large for 'ulimit -f' is an error of the call that writes to it.
    signal(SIGXFSZ, SIG_IGN)
    let arguments = Array(arguments.dropFirst())
    let command = Task { () async -> ExitStatus in
      do {
        return try await run(arguments)
      } catch {
        Output.error(error)
        return .unusable
      }
    }
    cancelOnSignal(command)
    exit(await command.value.rawValue)
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

  /// Ends the tool if it can have too few threads or too little memory.
  ///
  /// The libraries below would wait forever for a thread, or end the process.
  private static func requireThreadsAndMemory() {
    guard !cpr_lacks_memory() else { exit(ExitStatus.unusable.rawValue) }
    let error = cpr_can_have(Int32(ProcessInfo.processInfo.activeProcessorCount + 6))
    guard error != 0 else { return }
    Output.error(CommandError(MachineFault.words(forStarting: error)))
    exit(ExitStatus.unusable.rawValue)
  }

  private static func requireOpenFiles() {
    let count = cpr_raise_open_files(usualOpenFiles)
    guard count < leastOpenFiles else { return }
    Output.error(
      CommandError(
        "the tool needs at least \(leastOpenFiles) open files, but only \(count) are allowed; "
          + "raise the limit with 'ulimit -n'"))
    exit(ExitStatus.unusable.rawValue)
  }

  private static func run(_ arguments: [String]) async throws -> ExitStatus {
    guard let name = arguments.first else {
      Output.error(Command.overview)
      return .unusable
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

  /// The signals by which a user, a terminal or a build machine ends a tool.
  ///
  /// On SIGQUIT, Swift would otherwise print a backtrace, which takes seconds.
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// Ends the tool by a signal after its containers are removed and the processes in them are
  /// killed. Signals that were ignored when the tool was started stay ignored.
  ///
  /// The first signal cancels the command, whose runs then end like those of a canceled test. The
  /// tool ends by the same signal as soon as nothing is left to remove. A second signal ends it
  /// without this wait.
  ///
  /// If no pipe or no thread can be created, a signal ends the tool at once. The next run then
  /// removes what is left.
  private static func cancelOnSignal(_ command: Task<ExitStatus, Never>) {
    var ends: [Int32] = [0, 0]
    guard cpr_pipe(&ends) == 0 else { return }
    let descriptor = ends[0]
    let error = startThread {
      guard let signal = nextSignal(from: descriptor) else { return }
      // The order matters: a canceled command ends as if it were done, and may say so.
      UnfinishedWork.shared.whenNothingIsLeft { cpr_end_by_signal(signal) }
      command.cancel()
      if let second = nextSignal(from: descriptor) { cpr_end_by_signal(second) }
    }
    guard error == 0 else { return ends.forEach { close($0) } }
    for signal in signals { _ = cpr_catch_signal(signal, ends[1]) }
  }

  /// Waits for a signal, and returns its number. Returns nil if the pipe cannot be read; a second
  /// signal then ends the tool.
  private static func nextSignal(from descriptor: Int32) -> Int32? {
    var number: UInt8 = 0
    var count: Int
    repeat { count = read(descriptor, &number, 1) } while count < 0 && errno == EINTR
    return count == 1 ? Int32(number) : nil
  }
}
