#if os(macOS) || os(Linux)
import Foundation
import Testing

@testable import BackupContainer

/// `explore` injects events at each point of scenarios.
@Suite struct ExploreCommandTests {
  /// A scenario that loses the user's diary if the app is killed during a save in place.
  static let torn = """
    {
      title: "A diary",
      files: { "Documents/**": "critical" },
      steps: [
        { createDirectory: "Documents/x" },
        { save: "Documents/diary.txt", contents: "old" },
        { save: "Documents/diary.txt", contents: "newer", how: "inPlace" },
        { backup: "at night" },
      ],
    }
    """

  @Test func `a trace with a finding is printed and written, and a run of it has the finding too`()
    async throws
  {
    let workspace = try Workspace(scenarios: ["d/diary": Self.torn])
    let exploration = try await workspace.run("explore", "--write", "Scenarios/found")
    #expect(exploration.status == 1)
    #expect(
      exploration.output.hasPrefix(
        "Scenarios/d/diary.json5:7:5: error: user-data-lost: the user loses data in 'Documents/diary.txt' "
          + "(in step 3"))
    #expect(
      exploration.output.contains("killed: { before: \"write\", path: \"Documents/diary.txt\" }"))
    #expect(exploration.output.contains("\nexplored d/diary: "))
    #expect(exploration.errors.contains("written: Scenarios/found/d-diary-1.json5\n"))
    #expect(!workspace.exists("Golden"))
    let run = try await workspace.run("run", "--record", "missing", "Scenarios/found")
    #expect(run.status == 1)
    #expect(run.errors.contains("error: user-data-lost"))
  }

  @Test func `a scenario without findings passes, but not one that is not explored`() async throws {
    let atomic = Self.torn.replacing(", how: \"inPlace\"", with: "")
    let workspace = try Workspace(scenarios: ["a": atomic])
    let exploration = try await workspace.run("explore")
    #expect(exploration.status == 0)
    #expect(exploration.output.hasSuffix(" 0 wrong, 0 not explored\n"))
    let code = try Workspace(scenarios: ["a": "{ title: 'a', steps: [{ perform: 'save' }] }"])
    let unexplored = try await code.run("explore")
    #expect(unexplored.status == 1)
    #expect(
      unexplored.output.hasPrefix("not explored: a: step 1 (perform save) runs the app's own code"))
  }

  @Test(arguments: [
    ("json", "\"token\" : \"diary:3.kill(2~write)\""),
    (
      "junit",
      "<failure message=\"user-data-lost: the user loses data in 'Documents/diary.txt' (in step 3"
    ),
    (
      "github",
      "::error file=Scenarios/diary.json5,line=7,col=5,title=diary::user-data-lost: the user loses"
    ),
  ])
  func `findings are printed and written in the formats of reports`(
    _ format: String, _ part: String
  ) async throws {
    let workspace = try Workspace(scenarios: ["diary": Self.torn])
    let printed = try await workspace.run("explore", "--format", format)
    #expect(printed.status == 1 && printed.output.contains(part), "\(printed.output)")
    let written = try await workspace.run("explore", "--format", format, "--output", "report")
    #expect(written.status == 1 && written.output.isEmpty)
    #expect(try workspace.text(of: "report") == printed.output)
  }

  @Test(arguments: [
    (["--tier", "momentary"], "--tier is no option any more: exploration reports what lasts"),
    (
      ["--replay", "diary:1.idle+2.end(2~write)"],
      "'2.end(2~write)' takes a backup between a kill and the retry, which is not explored any more"
    ),
  ])
  func `an option or a token of an earlier version is refused with the reason`(
    _ arguments: [String], _ reason: String
  ) async throws {
    let workspace = try Workspace(scenarios: ["diary": Self.torn])
    let run = try await workspace.run(["explore"] + arguments)
    #expect(run.status == 2 && run.errors.contains(reason), "\(run.errors)")
  }
}
#endif
