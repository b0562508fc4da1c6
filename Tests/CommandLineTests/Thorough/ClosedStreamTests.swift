#if os(macOS) || os(Linux)
import Foundation
import Testing

/// The tool works if its standard streams are closed when it starts.
@Suite struct ClosedStreamTests {
  @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"])
  func `reports and golden files have the right contents`(_ closing: String) async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document, "b": Sample.lostMark])
    let usualRun = try await workspace.run("run", "--format", "github", "--output", "whole")
    try FileManager.default.removeItem(at: workspace.url("Golden"))
    let run = try await workspace.shell(
      "\"$TOOL\" run --format github --output report \(closing); "
        + "\"$TOOL\" run --format github --output again \(closing)")
    #expect(usualRun.status == 1)
    #expect(run.errors.isEmpty == closing.contains("2>&-"))
    #expect(try workspace.text(of: "report") == workspace.text(of: "whole"))
    #expect(workspace.files(in: "Golden") == ["a.golden"])
    #expect(try workspace.text(of: "Golden/a.golden").hasPrefix("# golden"))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
  func `the closed streams are replaced by /dev/null`() async throws {
    let workspace = try Workspace(scenarios: [
      "a": Sample.document.replacing(
        "{ backup",
        with: "{ run: [\"sh\", \"-c\", \"tool=$(ps -o ppid= -p $PPID | tr -d ' '); "
          + "cd /proc/$tool/fd && readlink 0 1 2\"] }, { backup")
    ])
    let run = try await workspace.shell(
      "\"$TOOL\" run --allow-run --format json --output report <&- >&- 2>&-; cat report")
    #expect(run.output.contains(#"/dev/null\n/dev/null\n/dev/null""#), "\(run.output)")
  }

  @Test func `a closed output is an error if the report goes there`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    for arguments in ["--version", "run", "run --format json", "linux-shim"] {
      let run = try await workspace.shell("\"$TOOL\" \(arguments) >&-")
      #expect(run.status == 2)
      #expect(
        run.errors.hasSuffix(
          "backup-testing: error: standard output cannot be written: it is closed\n"))
    }
  }
}
#endif
