#if os(macOS) || os(Linux)
import CBackupProcess
import Foundation
import TestSupport
import Testing

/// Signals that end the tool while it runs scenarios.
@Suite struct InterruptionTests {
  /// Creates a scenario with a `run` step that runs a shell script.
  ///
  /// With `opensPipe`, the script opens the file `pipe` as file descriptor 3.
  private func workspace(_ script: String, opensPipe: Bool = true) throws -> Workspace {
    let workspace = try Workspace()
    let steps = "{ run: [\"sh\", \"\(workspace.url("script").path)\"] }, { backup"
    let text = Sample.document.replacing("{ backup", with: steps)
    try workspace.write(text, to: "Scenarios/a.json5")
    let pipe = opensPipe ? "exec 3> '\(workspace.url("pipe").path)'; " : ""
    try workspace.write(pipe + script, to: "script")
    try workspace.folder.makeFolder("tmp")
    return workspace
  }

  /// Runs the tool, and waits until no process has the pipe open. Returns the exit status as text.
  private func run(_ workspace: Workspace) async throws -> String {
    let command =
      "mkfifo pipe; cat pipe > words & TMPDIR=$PWD/tmp \"$TOOL\" run --allow-run "
      + "--output report > /dev/null; status=$?; wait; echo $status"
    return try await workspace.shell(command).output
  }

  @Test(arguments: ["INT": 130, "TERM": 143, "HUP": 129, "QUIT": 131])
  func `an interrupted run leaves no files and no processes, and its status names the signal`(
    signal: String, status: Int
  ) async throws {
    let workspace = try workspace(
      "sleep 600 & echo running >&3; kill -\(signal) $(ps -o ppid= -p $PPID); exec sleep 600")
    try workspace.write("of yesterday", to: "report")
    #expect(try await run(workspace) == "\(status)\n")
    #expect(try workspace.text(of: "words") == "running\n")
    #expect(workspace.files(in: "tmp") == [])
    #expect(!workspace.exists("Golden"))
    #expect(
      try workspace.text(of: "report") == "backup-testing: error: the run has not finished\n")
  }

  @Test func `a signal that is ignored when the tool starts stays ignored`() async throws {
    let workspace = try workspace(
      "kill -HUP $(ps -o ppid= -p $PPID); echo text > Documents/b.txt", opensPipe: false)
    let output = try await workspace.shell(
      "trap '' HUP; TMPDIR=$PWD/tmp \"$TOOL\" run --allow-run > /dev/null; echo $?"
    ).output
    #expect(output == "0\n")
    #expect(workspace.files(in: "Golden") == ["a.golden"])
  }

  @Test func `the first signal is caught, and the next one has its default effect`() throws {
    var ends: [Int32] = [0, 0]
    try #require(cpr_pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(cpr_catch_signal(SIGUSR2, ends[1]) == 0)
    // The signal goes to the process, because threads of tasks block signals.
    #expect(kill(getpid(), SIGUSR2) == 0)
    var number: UInt8 = 0
    #expect(read(ends[0], &number, 1) == 1 && Int32(number) == SIGUSR2)
    let handler = signal(SIGUSR2, SIG_DFL)
    #expect(handler == nil)
  }
}
#endif
