#if os(macOS) || os(Linux)
import Foundation
import Testing

/// `explore` begins with changed scenarios, and reports how much is missing if it is stopped.
@Suite struct ExplorationOrderTests {
  private static let document = """
    { title: "A document", steps: [
      { save: "Documents/a.txt", contents: "1" },
      { backup: "a" },
    ] }
    """

  /// Explores all scenarios, and returns their ids in the order of the output.
  ///
  /// It runs a copy of the tool, so that the exploration memory is in the workspace.
  private func explore(_ workspace: Workspace) async throws -> [Substring] {
    let run = try await workspace.shell(
      "mkdir -p .build && cp -n \"$TOOL\" .build/tool; .build/tool explore")
    return run.output.split(separator: "\n").filter { $0.hasPrefix("explored ") }
      .compactMap { $0.split(separator: " ").dropFirst().first?.dropLast() }
  }

  @Test func `changed scenarios and scenarios with findings are explored first`() async throws {
    let workspace = try Workspace(
      scenarios: ["a": Self.document, "b": Self.document, "c": Self.document])
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
    let workspace = try Workspace(scenarios: ["b": Self.document, "c": Self.document])
    try workspace.write(
      "{ title: 'A', steps: [{ run: ['sh', '\(workspace.url("script").path)'] }, { backup: 'a' }] }",
      to: "Scenarios/a.json5")
    // The tool is the parent of the script's parent process.
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
