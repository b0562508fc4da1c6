#if os(macOS) || os(Linux)
import TestSupport
import Testing

/// If the machine limits memory, open files or file sizes, the tool does not blame the app.
@Suite struct MachineFaultTests {
  /// A scenario that opens nested directories and files.
  private static let scenario = """
    {
      title: "A copy of a folder in a folder",
      steps: [
        { createDirectory: "Documents/a/b/c" },
        { save: "Documents/a/b/c/notes.db", contents: "SQLite format 3\\u0000" },
        { save: "Documents/a/b/c/notes.db-wal", size: 1 },
        { copy: "Documents/a", to: "Documents/copy" },
        { save: "nowhere/at/all", size: 1, throws: true },
        { backup: "one" },
        { restore: "one" },
        { backup: "two" },
      ],
    }
    """

  /// Records a golden file under a limit of open files. Returns nil and the output if it fails.
  private func recorded(openFiles limit: Int) async throws -> (golden: String?, output: String) {
    let workspace = try Workspace(scenarios: ["a": Self.scenario])
    let run = try await workspace.shell("ulimit -n \(limit); exec \"$TOOL\" run --record all")
    let isRecorded = workspace.exists("Golden/a.golden")
    #expect(
      (isRecorded ? [0] : [1, 2]).contains(run.status), "\(limit): \(run.status) \(run.errors)")
    return (isRecorded ? try workspace.text(of: "Golden/a.golden") : nil, run.output + run.errors)
  }

  @Test(arguments: [150_000, 200_000, 250_000, 300_000, 350_000, 400_000, 450_000, 500_000])
  func `with too little memory, the tool says so or finishes`(kilobytes: Int) async throws {
    let workspace = try Workspace(scenarios: ["a": Self.scenario])
    let run = try await workspace.shell(
      "ulimit -v \(kilobytes); exec \"$TOOL\" run --record all")
    let isDone = run.status == 1 && workspace.exists("Golden/a.golden")
    #expect(isDone || run.status == 2 && run.errors.contains("'ulimit -v'"), "\(run)")
  }

  @Test func `without /proc on Linux, the tool gets its arguments from main`() async throws {
    let workspace = try Workspace(scenarios: ["a": Self.scenario])
    let hide = "mount -t tmpfs none /proc"
    // The status is 99 if this user cannot hide /proc, or if this is not Linux.
    let run = try await workspace.shell(
      "unshare -rm \(hide) 2> /dev/null || exit 99; "
        + "exec unshare -rm sh -c '\(hide) && exec \"$TOOL\" advise secret'")
    guard run.status != 99 else { return print("SKIPPED: /proc cannot be hidden here") }
    // libdispatch counts its threads in /proc each second. If /proc is missing, it ends the process
    // with signal 4.
    #expect([0, -4].contains(run.status), "\(run)")
    #expect(run.output.hasPrefix("secret, oldest iOS"), "\(run)")
  }

  @Test func `a limit on the size of files is the machine's fault`() async throws {
    let steps = "{ title: 'A', steps: [{ save: 'Documents/a', size: 5000 }, { backup: 'b' }] }"
    let workspace = try Workspace(scenarios: ["a": steps])
    let run = try await workspace.shell("ulimit -f 1; exec \"$TOOL\" export-backup a --output out")
    #expect(run.status == 2)
    #expect((run.output + run.errors).contains("'ulimit -f'"))
  }

  @Test(arguments: [4, 5, 15, 16, 17, 18, 20])
  func `with too few open files, a run says so or finishes as usual`(
    limit: Int
  ) async throws {
    let usualGolden = try await recorded(openFiles: 256).golden
    let (golden, output) = try await recorded(openFiles: limit)
    #expect(golden == nil || golden == usualGolden, "\(limit): \(golden ?? "")")
    if golden == nil {
      #expect(
        output.contains("Too many open files") || output.contains("open files, but only")
          || output.contains("cannot be read"), "\(limit): \(output)")
    }
  }
}
#endif
