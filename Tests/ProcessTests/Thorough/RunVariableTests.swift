#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

/// The output and the files of a test process, and the effects of environment variables.
@Suite(.enabled(if: TestRun.canBeStarted, "SwiftPM runs the tests"))
struct RunVariableTests {
  @Test func `the app's output is attached to a scenario that fails`() async throws {
    let folder = try TestFolder()
    let run = try await TestRun(
      "RunFixtures/`a wrong shelf`", options: ["--attachments-path", folder.path])
    #expect(!run.isSuccess && run.output.contains("user-data-excluded"))
    #expect(folder.files().contains("critical.output.txt"), "\(run.output)")
    #expect(try folder.text(of: "critical.output.txt").hasPrefix("launch 1:\nthe shelf begins"))
  }

  @Test func `a crash in an exploration of the standard suite is attached`() async throws {
    let folder = try TestFolder()
    // Without backtraces, of which one takes five seconds.
    let run = try await TestRun(
      "RunFixtures/`an explored crash`",
      [
        "SWIFT_BACKTRACE": "enable=no",
        // The kill before the second file; all other traces would take long.
        "BACKUP_TESTING_REPLAY": "critical:1.kill(3~create)",
      ],
      options: ["--attachments-path", folder.path])
    #expect(!run.isSuccess && folder.files().contains("critical.crash.txt"), "\(run.output)")
    #expect(try folder.text(of: "critical.crash.txt").contains("the list has no items"))
  }

  @Test func `messages of Foundation in the app's process are not printed`() async throws {
    let run = try await TestRun("RunFixtures/`user defaults over a list that cannot be read`")
    #expect(run.isSuccess && !run.output.contains("plist parser"), "\(run.output)")
  }

  @Test func `an exploration without a problem is printed too`() async throws {
    let run = try await TestRun("RunFixtures/`an explored save`")
    let line =
      /explored x: 4 quiescent points, (\d+) crash points, (\d+) traces, complete; the app has no/
    #expect(run.isSuccess, "\(run.output)")
    #expect(run.output.contains(line), "\(run.output)")
    let end = run.output.components(separatedBy: "Test run with 1 test").last ?? ""
    #expect(end.contains("\nFolderApp was explored: 1 scenario, 1 of "), "\(run.output)")
  }

  @Test(.enabled(if: VisibleProcesses.canFindDaemons, "/proc is there"), .timeLimit(.minutes(5)))
  func `with BACKUP_TESTING_WAIT, the app's process prints its id and waits`() async throws {
    let end = try await runWaiting { process in
      #expect(kill(process, SIGCONT) == 0)
    }
    #expect(end.isSuccess, "\(end.output)")
  }

  @Test(.enabled(if: VisibleProcesses.canFindDaemons, "/proc is there"), .timeLimit(.minutes(5)))
  func `a waiting process ends if the test process is killed`() async throws {
    let end = try await runWaiting { process in
      let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      let test = try #require(status.firstMatch(of: /PPid:\s(\d+)/).flatMap { pid_t($0.1) })
      #expect(kill(test, SIGKILL) == 0)
      while (try? isStopped(process)) == true { await Task.yield() }
    }
    #expect(!end.isSuccess)
  }

  /// Runs a test whose app waits for a debugger, and calls `act` with the waiting process's id.
  ///
  /// If `act` kills the test, the test's container is deleted with the folder.
  private func runWaiting(_ act: (pid_t) async throws -> Void) async throws -> TestRun {
    let folder = try TestFolder()
    let errorPipe = try OutputPipe(in: folder.url)
    async let run = TestRun(
      "RunFixtures/`a save`", ["BACKUP_TESTING_WAIT": "1", "TMPDIR": folder.path],
      errors: errorPipe.path)
    var words = ""
    while !words.contains(" is waiting: "), let more = await errorPipe.firstOutput() {
      words += more
    }
    let waiting = try #require(
      words.firstMatch(of: /The app's process (\d+) is waiting/), "\(words)")
    let process = try #require(pid_t(waiting.1))
    while try !isStopped(process) { await Task.yield() }
    // Empties the pipe, so that the process can continue to write.
    async let rest = errorPipe.outputUntilClosed()
    try await act(process)
    let end = try await run
    _ = await rest
    withExtendedLifetime(folder) {}
    return end
  }

  /// Whether a process was stopped.
  private func isStopped(_ process: pid_t) throws -> Bool {
    let line = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return line.contains(") T ")
  }

  @Test func `outside of a test, the app runs in the same process, with one warning`() async throws
  {
    let run = try await TestRun("RunFixtures/`two runs outside of a test`")
    // Each run fails once. The test library may show an issue outside of a test several times.
    let warnings = run.output.matches(of: /the app would run in the test's process here/).count
    let failures = run.output.matches(of: /threw: NotOfItsOwn/).count
    #expect(warnings > 0 && failures == 2 * warnings, "\(run.output)")
  }
}
#endif
