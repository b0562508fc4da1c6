import TestSupport
import Testing

/// What the machine lacks is never a fact of the app's.
@Suite struct MachineFaultTests {
  /// A scenario that opens directories in directories, and files.
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

  /// The golden file that a run records under a limit of open files; nil for none, with why.
  private func recorded(openFiles limit: Int) async throws -> (golden: String?, why: String) {
    let workspace = try Workspace(scenarios: ["a": Self.scenario])
    let run = try await workspace.shell("ulimit -n \(limit); exec \"$TOOL\" run --record all")
    #expect(run.status == 1 || run.status == 2, "\(limit): \(run.status) \(run.errors)")
    let isThere = workspace.exists("Golden/a.golden")
    return (isThere ? try workspace.text(of: "Golden/a.golden") : nil, run.output + run.errors)
  }

  @Test(arguments: [4, 5, 15, 16, 17, 18, 20])
  func `a run with too few open files breaks off and says so, or is as any other`(
    limit: Int
  ) async throws {
    let usual = try await recorded(openFiles: 256).golden
    let (golden, why) = try await recorded(openFiles: limit)
    #expect(golden == nil || golden == usual, "\(limit): \(golden ?? "")")
    if golden == nil {
      #expect(
        why.contains("Too many open files") || why.contains("files can be open at a time")
          || why.contains("cannot be read"), "\(limit): \(why)")
    }
  }
}
