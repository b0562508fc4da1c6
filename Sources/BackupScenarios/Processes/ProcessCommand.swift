import BackupApp
import BackupContainer
import BackupDiagnostics
import BackupFileTree
import CBackupProcess
import Foundation

/// A tool to be run, with everything it gets.
struct ProcessCommand: Sendable {
  /// How it ended, and what it printed.
  typealias End = (cause: Termination, output: ProcessOutput)

  /// The absolute path of its executable.
  let executable: String
  /// Its name as the scenario has it, and its arguments.
  let words: [String]
  let environment: [String: String]
  let directory: String
  /// How long it may take, in seconds.
  let timeLimit: Double
  /// Makes the threads that follow it; tests put a machine that gives none in its place.
  var startThread: @Sendable (@escaping @Sendable () -> Void) -> Int32 = BackupContainer.startThread

  /// Waits for its turn, then runs it to its end on a thread of its own; a cancelled task kills it.
  /// What waits has no file open, so that as many as there are scenarios may wait.
  func run(within limit: ProcessLimit = .shared) async -> Result<End, AppFailure> {
    await limit.take()
    let result = await runInItsTurn()
    await limit.giveBack()
    return result
  }

  /// Runs it to its end; where its task was cancelled before, it is not started.
  private func runInItsTurn() async -> Result<End, AppFailure> {
    guard !Task.isCancelled else {
      return .success((.cancelled, ProcessOutput()))
    }
    let event: ExitEvent
    do throws(AppFailure) {
      event = try ExitEvent(for: words.first ?? executable)
    } catch {
      return .failure(error)
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let error = startThread {
          continuation.resume(
            returning: Result { () throws(AppFailure) in try run(waking: event) })
        }
        if error != 0 { continuation.resume(returning: .failure(self.error(error))) }
      }
    } onCancel: {
      event.signal(.cancelled)
    }
  }

  /// Runs it on this thread, until it ends, its time is over or the event says that it must end.
  func run(waking event: ExitEvent) throws(AppFailure) -> End {
    let deadline = SuspendingClock.now + .seconds(timeLimit)
    let child = try start()
    var process = ChildProcess(child: child, event: event, deadline: deadline)
    let error = startThread { event.signal(cpr_wait(child) == 0 ? .ended : .lost) }
    guard error == 0 else {
      process.abandon()
      throw self.error(error)
    }
    return process.follow()
  }

  /// Why it could not be run.
  private func error(_ number: Int32) -> AppFailure {
    AppFailure(number, starting: words.first ?? executable)
  }

  /// Makes the process, with its output in a pipe.
  private func start() throws(AppFailure) -> cpr_child {
    var child = cpr_child()
    let error = [executable, directory].withCStrings { paths in
      words.withCStrings { words in
        environment.map { "\($0.key)=\($0.value)" }.withCStrings { environment in
          var command = cpr_command(
            executable: paths[0], arguments: words, environment: environment, directory: paths[1])
          return cpr_start(&command, &child)
        }
      }
    }
    guard error == 0 else { throw self.error(error) }
    return child
  }
}

extension AppFailure {
  /// The start of a tool that the system refused with an error number.
  init(_ number: Int32, starting tool: String) {
    let name = EscapedText.escape(tool.cut(to: 200))
    let reason =
      switch number {
      case ENOTSUP: "cannot be run, because the kit does not run processes on this platform"
      case ENOEXEC: "is neither a program for this system nor a script with a #! line"
      case ENOENT: "cannot be run, because the program that its #! line names is missing"
      default: "cannot be run: \(MachineFault.words(forStarting: number))"
      }
    self.init("'\(name)' \(reason)")
  }
}
