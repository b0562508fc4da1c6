#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

/// What the environment asks of a process of tests, and what that leaves.
@Suite(.enabled(if: TestRun.canBeStarted, "SwiftPM runs the tests"))
struct RunVariableTests {
  @Test func `what the app has printed is attached to a scenario that fails`() async throws {
    let folder = try TestFolder()
    let run = try await TestRun(
      "RunFixtures/`a wrong shelf`", options: ["--attachments-path", folder.path])
    #expect(!run.isSuccess && run.output.contains("user-data-excluded"))
    #expect(folder.files().contains("critical.output.txt"), "\(run.output)")
    #expect(try folder.text(of: "critical.output.txt").hasPrefix("launch 1:\nthe shelf begins"))
  }

  @Test func `what Foundation says in the app's process is not printed`() async throws {
    let run = try await TestRun("RunFixtures/`user defaults over a list that cannot be read`")
    #expect(run.isSuccess && !run.output.contains("plist parser"), "\(run.output)")
  }

  @Test func `what was explored is printed though nothing is wrong`() async throws {
    let run = try await TestRun("RunFixtures/`an explored save`")
    let line =
      /explored x: 4 quiescent points, (\d+) crash points, (\d+) traces, complete; the app has no/
    #expect(run.isSuccess, "\(run.output)")
    #expect(run.output.contains(line), "\(run.output)")
    let end = run.output.components(separatedBy: "Test run with 1 test").last ?? ""
    #expect(end.contains("\nFolderApp was explored: 1 scenario, 1 of "), "\(run.output)")
  }

  @Test(.enabled(if: ShownProcesses.haveDaemons, "/proc is there"), .timeLimit(.minutes(5)))
  func `with the variable a process says its id and waits`() async throws {
    let end = try await runWaiting { process in
      #expect(kill(process, SIGCONT) == 0)
    }
    #expect(end.isSuccess, "\(end.output)")
  }

  @Test(.enabled(if: ShownProcesses.haveDaemons, "/proc is there"), .timeLimit(.minutes(5)))
  func `one that waits ends with a test that is killed`() async throws {
    let end = try await runWaiting { process in
      let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      let test = try #require(status.firstMatch(of: /PPid:\s(\d+)/).flatMap { pid_t($0.1) })
      #expect(kill(test, SIGKILL) == 0)
      while (try? isStopped(process)) == true { await Task.yield() }
    }
    #expect(!end.isSuccess)
  }

  /// Runs a test whose app waits for a debugger, and does something as soon as it does. Where that
  /// kills the test, its container goes with the folder.
  private func runWaiting(_ act: (pid_t) async throws -> Void) async throws -> TestRun {
    let folder = try TestFolder()
    let writers = try Writers(in: folder.url)
    async let run = TestRun(
      "RunFixtures/`a save`", ["BACKUP_TESTING_WAIT": "1", "TMPDIR": folder.path],
      errors: writers.path)
    var words = ""
    while !words.contains(" is waiting: "), let more = await writers.firstWords() { words += more }
    let waiting = try #require(
      words.firstMatch(of: /The app's process (\d+) is waiting/), "\(words)")
    let process = try #require(pid_t(waiting.1))
    while try !isStopped(process) { await Task.yield() }
    // So that it can write on.
    async let rest = writers.wordsToTheEnd()
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

  @Test func `with the variable the app is in the test's process, without a warning`() async throws
  {
    let run = try await TestRun("RunFixtures/`a wrong shelf`", ["BACKUP_TESTING_IN_PROCESS": "1"])
    #expect(!run.isSuccess && run.output.contains("NotOfItsOwn"), "\(run.output)")
    #expect(!run.output.contains("the app would run in the test's process"))
  }

  @Test func `outside of a test the app is in the process, with one warning`() async throws {
    let run = try await TestRun("RunFixtures/`two runs outside of a test`")
    // Each run fails once; the test library may show an issue that is of no test several times.
    let warnings = run.output.matches(of: /the app would run in the test's process here/).count
    let failures = run.output.matches(of: /threw: NotOfItsOwn/).count
    #expect(warnings > 0 && failures == 2 * warnings, "\(run.output)")
  }
}
#endif
