#if os(macOS) || os(Linux)
import Foundation
import Testing

@testable import BackupContainer

/// `explore`: the system acts at every point.
@Suite struct ExploreCommandTests {
  /// A diary that is written in place.
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

  @Test func `a page counts the points of each step, and links those that go wrong`() async throws {
    let workspace = try Workspace(scenarios: ["d/diary": Self.torn, "good": Sample.document])
    let run = try await workspace.run("explore", "--format", "html")
    #expect(run.status == 1)
    let page = run.output
    // Killed between the two changes of a save in place; nothing else goes wrong in the step.
    let title = "killed in step 3, before it wrote &#39;Documents/diary.txt&#39;"
    #expect(page.contains("<a href=\"#s0-0\" title=\"\(title)"))
    #expect(page.contains("(d/diary:3."))
    #expect(page.contains(">write</a></div></td></tr>"))
    #expect(page.components(separatedBy: "<a href=\"#").count == 2)
    #expect(page.contains("<div id=\"s0-0\"><p><span class=\"error\">error</span>"))
    #expect(page.contains("explore --replay &#39;d/diary:3.kill("))
    #expect(page.contains("<details id=\"s1\"><summary><span class=\"path\">good</span>"))
  }

  @Test func `a page of one trace has one point`() async throws {
    let workspace = try Workspace(scenarios: ["diary": Self.torn])
    let page = try await workspace.run(
      "explore", "--replay", "diary:3.kill(2~write)", "--format", "html"
    ).output
    #expect(page.components(separatedBy: "class=\"points\"").count == 2)
    #expect(!page.contains("flex-grow"))
  }

  @Test func `the command that repeats a trace names the folder`() async throws {
    let workspace = try Workspace(scenarios: [:])
    try workspace.write(Self.torn, to: "Own/d/diary.json5")
    let all = try await workspace.run("explore", "Own")
    let command = "replay: swift run backup-testing explore Own --replay 'd/diary:3.kill(2~write)'"
    #expect(all.output.contains(command))
    let one = try await workspace.run(
      "explore", "Own", "--replay", "d/diary:3.kill(2~write)")
    #expect(one.status == 1)
    let file = try await workspace.run("explore", "Own/d/diary.json5")
    #expect(file.output.contains("explore Own/d/diary.json5 --replay 'diary:"))
  }

  @Test func `a story that goes wrong is shown, written, and wrong when it is run`() async throws {
    let workspace = try Workspace(scenarios: ["d/diary": Self.torn])
    let all = try await workspace.run("explore", "--write", "Scenarios/found")
    #expect(all.status == 1)
    #expect(
      all.output.hasPrefix(
        "Scenarios/d/diary.json5:7:5: error: user-data-lost: the user loses data in 'Documents/diary.txt' "
          + "(in step 3"))
    #expect(all.output.contains("killed: { before: \"write\", path: \"Documents/diary.txt\" }"))
    #expect(all.output.contains("\nexplored d/diary: "))
    #expect(all.errors.contains("written: Scenarios/found/d-diary-1.json5\n"))
    #expect(!workspace.exists("Golden"))
    let run = try await workspace.run("run", "--record", "missing", "Scenarios/found")
    #expect(run.status == 1)
    #expect(run.errors.contains("error: user-data-lost"))
  }

  @Test func `a story is written over nothing but itself`() async throws {
    let workspace = try Workspace(scenarios: ["diary": Self.torn])
    let first = try await workspace.run("explore", "--write", "found")
    let again = try await workspace.run("explore", "--write", "found")
    #expect(again.status == 1 && again.output == first.output)
    try workspace.write("mine", to: "found/diary-1.json5")
    let other = try await workspace.run("explore", "--write", "found")
    #expect(other.status == 2)
    #expect(other.errors.contains("found/diary-1.json5: the file exists and has other contents"))
    #expect(try workspace.text(of: "found/diary-1.json5") == "mine")
  }

  @Test func `what is right is right, and nothing explored is not`() async throws {
    let right = Self.torn.replacing(", how: \"inPlace\"", with: "")
    let workspace = try Workspace(scenarios: ["a": right])
    let all = try await workspace.run("explore")
    #expect(all.status == 0)
    #expect(all.output.hasSuffix(" 0 wrong, 0 not explored\n"))
    let code = try Workspace(scenarios: ["a": "{ title: 'a', steps: [{ perform: 'save' }] }"])
    let none = try await code.run("explore")
    #expect(none.status == 1)
    #expect(none.output.hasPrefix("not explored: a: step 1 (perform save) runs the app's own code"))
  }

  @Test func `a first step that the scenario does not have is a failure, in JUnit too`()
    async throws
  {
    let beyond = Self.torn.replacing(
      "steps: [", with: "explore: { from: 5, reason: 'set-up' }, steps: [")
    let workspace = try Workspace(scenarios: ["diary": beyond])
    let text = try await workspace.run("explore")
    #expect(text.status == 1)
    #expect(text.output.contains("its 'explore' starts at step 5, but the scenario has 4 steps"))
    let report = try await workspace.run("explore", "--format", "junit")
    #expect(report.output.contains("failures=\"1\" errors=\"0\" skipped=\"0\""))
  }

  @Test(arguments: ["9", "0", "two"])
  func `a depth that cannot be is refused with what can`(_ word: String) async throws {
    let workspace = try Workspace(scenarios: ["diary": Self.torn])
    let outcome = try await workspace.run("explore", "--depth", word)
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("--depth: expected a whole number from 1 to 2, not '\(word)'"))
  }

  @Test func `a limit of a run is one of each history`() async throws {
    let workspace = try Workspace(scenarios: ["a": Self.torn])
    let all = try await workspace.run("explore", "--limit", "work=1")
    #expect(all.status == 1)
    #expect(all.output.hasPrefix("not explored: a: it fails without any injected event"))
    #expect(all.output.contains("the limit of a run is 1"))
  }

  @Test func `a token has its history followed, and none that is not there any more`() async throws
  {
    let workspace = try Workspace(scenarios: ["d/diary": Self.torn])
    let token = "d/diary:3.kill(2~write)"
    let found = try await workspace.run("explore", "--replay", token)
    #expect(
      found.status == 1
        && found.output.contains(
          "error: user-data-lost: the user loses data in 'Documents/diary.txt' (in step 3")
    )
    #expect(found.output.contains("--replay '\(token)'"))
    let other = try await workspace.run("explore", "--replay", "d/diary:3.kill(2~mark)")
    #expect(other.status == 1)
    #expect(
      other.output.contains(
        "the scenario no longer has the point that the token names; the token for that point is "
          + "now '3.kill(2~write)'"))
    let right = try await workspace.run("explore", "--replay", "d/diary:4.relaunch")
    #expect(right.status == 0 && right.output.contains("1 trace, complete"))
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
  func `what is found is written in the formats of reports`(
    _ format: String, _ part: String
  ) async throws {
    let workspace = try Workspace(scenarios: ["diary": Self.torn])
    let printed = try await workspace.run("explore", "--format", format)
    #expect(printed.status == 1 && printed.output.contains(part), "\(printed.output)")
    let written = try await workspace.run("explore", "--format", format, "--output", "report")
    #expect(written.status == 1 && written.output.isEmpty)
    #expect(try workspace.text(of: "report") == printed.output)
  }

  @Test func `a budget that runs out is said`() async throws {
    let workspace = try Workspace(scenarios: ["diary": Self.torn])
    let some = try await workspace.run("explore", "--budget", "2")
    #expect(some.output.contains("2 traces, INCOMPLETE because the limit on traces was reached"))
    #expect(some.output.contains("1 INCOMPLETE because the limit on traces was reached"))
    #expect(some.status == 1)
  }

  @Test(arguments: [
    (["--tier", "momentary"], "--tier is no option any more: exploration reports what lasts"),
    (
      ["--replay", "diary:1.idle+2.end(2~write)"],
      "'2.end(2~write)' takes a backup between a kill and the retry, which is not explored any more"
    ),
  ])
  func `what earlier versions explored is refused with the reason`(
    _ arguments: [String], _ reason: String
  ) async throws {
    let workspace = try Workspace(scenarios: ["diary": Self.torn])
    let run = try await workspace.run(["explore"] + arguments)
    #expect(run.status == 2 && run.errors.contains(reason), "\(run.errors)")
  }

  @Test(arguments: [
    ["--depth", "0"], ["--depth", "x"], ["--budget", "-1"], ["--filter", "x"],
    ["--replay", "x"], ["--replay", "diary:1.fly"],
    ["--replay", "diary:1.idle+1.idle+1.idle+1.idle+1.idle"], ["--replay", "x:1.relaunch"],
  ])
  func `options that make no sense are errors`(arguments: [String]) async throws {
    let workspace = try Workspace(scenarios: ["diary": Self.torn])
    let run = try await workspace.run(["explore"] + arguments)
    #expect(run.status == 2 && run.output.isEmpty && !run.errors.isEmpty)
  }
}
#endif
