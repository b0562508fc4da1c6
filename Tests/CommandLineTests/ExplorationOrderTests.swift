#if os(macOS) || os(Linux)
import Foundation
import Testing

/// The order in which `explore` explores scenarios, and what it says if it is stopped.
@Suite struct ExplorationOrderTests {
  private static let right = """
    { title: "A document", steps: [
      { save: "Documents/a.txt", contents: "1" },
      { backup: "a" },
    ] }
    """

  /// Explores with a copy of the tool, which has its memory in the workspace; returns the ids in
  /// the order of the output.
  private func explore(_ workspace: Workspace) async throws -> [Substring] {
    let run = try await workspace.shell(
      "mkdir -p .build && cp -n \"$TOOL\" .build/tool; .build/tool explore")
    return run.output.split(separator: "\n").filter { $0.hasPrefix("explored ") }
      .compactMap { $0.split(separator: " ").dropFirst().first?.dropLast() }
  }

  @Test func `what has changed, or was wrong, is explored first, and nothing is left out`()
    async throws
  {
    let workspace = try Workspace(scenarios: ["a": Self.right, "b": Self.right, "c": Self.right])
    #expect(try await explore(workspace) == ["a", "b", "c"])
    try workspace.replace("contents", with: "how: \"inPlace\", contents", in: "Scenarios/c.json5")
    #expect(try await explore(workspace) == ["c", "a", "b"])
    #expect(try await explore(workspace) == ["a", "b", "c"])
    try workspace.write(ExploreCommandTests.torn, to: "Scenarios/b.json5")
    for _ in 1...2 { #expect(try await explore(workspace) == ["b", "a", "c"]) }
    try workspace.write("{ files: { \"Documents/*\": \"critical\" } }", to: "Scenarios/app.json5")
    #expect(try await explore(workspace) == ["a", "b", "c"])
  }

  @Test func `a run that is stopped says how much was not explored`() async throws {
    let workspace = try Workspace(scenarios: ["b": Self.right, "c": Self.right])
    try workspace.write(
      "{ title: 'A', steps: [{ run: ['sh', '\(workspace.url("script").path)'] }, { backup: 'a' }] }",
      to: "Scenarios/a.json5")
    // The tool is the parent of the process that keeps the script.
    try workspace.write("kill -INT $(ps -o ppid= -p $PPID); exec sleep 600", to: "script")
    let run = try await workspace.shell(
      "\"$TOOL\" explore --allow-run --output report; status=$?; echo $status")
    #expect(run.output == "130\n")
    #expect(
      run.errors.contains("stopped: 3 of 3 scenarios were not, or not wholly, explored\n"),
      "\(run.errors)")
    #expect(!workspace.exists("report"))
  }
}
#endif
