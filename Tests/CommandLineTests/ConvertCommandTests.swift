#if os(macOS) || os(Linux)
import Testing

@Suite struct ConvertCommandTests {
  /// A golden file of format 1. The file's size differs from that in the scenario.
  private static let former = """
    # golden 1: a
    system newest, iCloud
    step 2 backup "first": 1 file, 1001 bytes
    + Documents/a.txt  1001
    - Library/Caches/  location
    + Library/Preferences/
    - tmp/  location

    """

  @Test func `rewrites golden files of format 1, and accepts no difference`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    try workspace.write(Self.former, to: "Golden/a.golden")
    let before = try await workspace.run("run")
    #expect(before.status == 1)
    let run = try await workspace.run("convert")
    #expect(run.status == 0)
    #expect(run.output == "Golden: 1 golden file converted; 0 had the present format\n")
    let text = try workspace.text(of: "Golden/a.golden")
    #expect(text.hasPrefix("# golden 2: a\n"))
    #expect(text.contains("\n  in   Documents/\n  in   Documents/a.txt  1001 bytes\n"))
    let after = try await workspace.run("run")
    #expect(after.errors == before.errors && after.status == 1)
    #expect(try await workspace.run("convert").output.contains("0 golden files converted; 1 had"))
  }

  @Test func `writes nothing if one of the files is invalid`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    try workspace.write(Self.former, to: "Golden/a.golden")
    try workspace.write("# golden 1: b\n<<<<<<< HEAD\n", to: "Golden/b.golden")
    let run = try await workspace.run("convert")
    #expect(run.status == 2)
    #expect(run.errors.contains("Golden/b.golden:2: the golden file has merge conflict markers"))
    #expect(try workspace.text(of: "Golden/a.golden") == Self.former)
  }
}
#endif
