#if os(macOS) || os(Linux)
import Foundation
import Testing

@testable import BackupContainer
extension ExploreCommandTests {
  @Test func `the page shows a failing point even if an earlier point led to the same state`()
    async throws
  {
    let text = """
      {
        title: "A cache that is needed",
        steps: [{ save: "Library/Caches/a", size: 1 }, { backup: "x" }, { read: "Library/Caches/a" }],
      }
      """
    let page = try await Workspace(scenarios: ["a": text])
      .run("explore", "--format", "html").output
    let rows = page.components(separatedBy: "<tr><th scope=\"row\">")
    for step in ["step 2 ", "step 3 "] {
      let row = try #require(rows.first { $0.hasPrefix(step) })
      for event in ["idle", "lowStorage", "criticalStorage", "newDevice"] {
        #expect(row.contains(">\(event)</a>"), "\(step)\(event)")
      }
    }
    #expect(rows.first { $0.hasPrefix("step 1 ") }?.contains("</a>") == false)
  }

  @Test func `the page shows a failing point even if its trace stops at another trace's state`()
    async throws
  {
    let text = """
      {
        title: "A cache that is read, and saved again",
        steps: [
          { save: "Library/Caches/a", size: 1 }, { backup: "x" }, { read: "Library/Caches/a" },
          { backup: "y" }, { save: "Library/Caches/a", size: 1 }, { backup: "z" },
        ],
      }
      """
    let workspace = try Workspace(scenarios: ["a": text])
    let page = try await workspace.run("explore", "--format", "html").output
    let rows = page.components(separatedBy: "<tr><th scope=\"row\">")
    let events = ["idle", "newDevice"]
    for (step, failingEvents) in [2: events, 3: events, 4: [], 5: [], 6: []] {
      let row = try #require(rows.first { $0.hasPrefix("step \(step) ") })
      for event in events {
        let fails = failingEvents.contains(event)
        #expect(row.contains(">\(event)</a>") == fails, "step \(step), \(event)")
        // A replay of this point has the same result.
        let replay = try await workspace.run("explore", "--replay", "a:\(step).\(event)")
        #expect((replay.status == 1) == fails, "step \(step), \(event)")
      }
    }
  }

  @Test(arguments: [
    ("text", "\nadvice (unverified): com.example.app: no source says"),
    ("json", #""loss" : "marks""#),
    ("github", "::notice title=com.example.app::advice (unverified)"),
  ])
  func `a dependence on updates is reported once, as advice`(
    format: String, part: String
  ) async throws {
    let film = """
      {
        title: "A film",
        files: { "Documents/**": "offline" },
        steps: [
          { save: "Documents/film", size: 9 }, { exclude: "Documents/film" }, { backup: "b" },
          { read: "Documents/film", ifMissing: "skip" },
        ],
      }
      """
    let workspace = try Workspace(scenarios: ["film": film, "again": film])
    let run = try await workspace.run("explore", "--format", format)
    #expect(run.status == 0)
    #expect(run.output.components(separatedBy: part).count == 2)
  }

  @Test(arguments: [
    ("/dev/null/x", "'/dev/null' is a device"), ("mine/", "'mine' is a file"),
    ("mine/a/b", "'mine' is a file"), ("./away/a", "'./away' is a link"),
  ])
  func `if a trace's folder cannot be created, the error names the obstacle`(
    folder: String, obstacle: String
  ) async throws {
    let workspace = try Workspace(scenarios: ["diary": Self.torn])
    try workspace.write("mine", to: "mine")
    try FileManager.default.createSymbolicLink(
      atPath: workspace.url("away").path, withDestinationPath: "nowhere")
    let run = try await workspace.run("explore", "--write", folder)
    #expect(run.status == 2)
    let folderWithSlash = folder.hasSuffix("/") ? folder : "\(folder)/"
    #expect(
      run.errors.hasSuffix(
        "\(folderWithSlash)diary-1.json5: cannot be written, because \(obstacle), not a folder; name "
          + "another path\n"))
  }

  @Test func `without the library beside the tool, a warning says that the app is not killed`()
    async throws
  {
    let tool = "{ title: 'a', steps: [{ run: ['true'] }] }"
    let workspace = try Workspace(scenarios: ["tool": tool])
    try workspace.write(Self.torn, to: "Others/diary.json5")
    let command = "cp \"$TOOL\" tool && ./tool explore --allow-run"
    let withoutLibrary = try await workspace.shell(command)
    #expect(
      withoutLibrary.errors.contains("warning: the app is not killed in the middle of 'run' steps")
        == TapLibrary.isSupported)
    #expect(try await workspace.shell("\(command) Others").errors.isEmpty)
  }

  @Test func `the replay command allows processes if the exploration did`() async throws {
    let tool = Self.torn.replacing("steps: [", with: "steps: [{ run: ['true'] },")
    let workspace = try Workspace(scenarios: ["diary": tool])
    let exploration = try await workspace.run("explore", "--allow-run")
    let command = "explore --allow-run --replay 'diary:4.kill(2~write)'"
    let replay = "replay: swift run backup-testing \(command); the scenario above ("
    #expect(exploration.output.contains(replay))
    let replayRun = try await workspace.run(
      "explore", "--allow-run", "--replay", "diary:4.kill(2~write)")
    #expect(
      replayRun.status == 1
        && replayRun.output.contains(
          "error: user-data-lost: the user loses data in 'Documents/diary.txt' (in step 4")
    )
  }

  @Test func `a tool in a 'run' step is killed between its changes`() async throws {
    let workspace = try Workspace(scenarios: [:])
    let script = workspace.url("save.sh").path
    let scenario = """
      {
        title: "A list",
        files: { "Documents/**": "critical" },
        steps: [
          { run: ["/bin/sh", "\(script)", "old"] },
          { run: ["/bin/sh", "\(script)", "newer"] },
        ],
      }
      """
    try workspace.write(scenario, to: "Scenarios/list.json5")
    try workspace.write("printf $1 > Documents/list\n", to: "save.sh")
    let refused = try await workspace.run("explore")
    #expect(refused.status == 1 && refused.output.contains("with --allow-run"))
    let exploration = try await workspace.run("explore", "--allow-run")
    #expect(
      exploration.status == 1
        && exploration.output.contains(
          "error: user-data-lost: the user loses data in 'Documents/list' (in step 2")
    )
    #expect(!exploration.output.contains("NOT REPEATED"), "\(exploration.output)")
    let full = scenario.replacing("\"newer\"] }", with: "\"newer\"], storageFull: {} }")
    try workspace.write(full, to: "Scenarios/list.json5")
    let run = try await workspace.run("run", "--allow-run")
    let errors = run.errors + run.output
    #expect(errors.contains("the storage was full when the app wrote"), "\(errors)")
    try workspace.write(scenario, to: "Scenarios/list.json5")
    try workspace.write("printf $1 > tmp/list && mv tmp/list Documents/list\n", to: "save.sh")
    let atomic = try await workspace.run("explore", "--allow-run")
    #expect(atomic.status == 0 && atomic.output.contains(" 0 wrong, 0 not explored"), "\(atomic)")
  }

  @Test func `a page counts the points of each step, and links to the failing points`() async throws
  {
    let workspace = try Workspace(scenarios: ["d/diary": Self.torn, "good": Sample.document])
    let run = try await workspace.run("explore", "--format", "html")
    #expect(run.status == 1)
    let page = run.output
    // A kill between the two changes of a save in place. No other point in the step fails.
    let title = "killed in step 3, before it wrote &#39;Documents/diary.txt&#39;"
    #expect(page.contains("<a href=\"#s0-0\" title=\"\(title)"))
    #expect(page.contains("(d/diary:3."))
    #expect(page.contains(">write</a></td></tr>"))
    #expect(page.components(separatedBy: "<a href=\"#s").count == 2)
    let problem = "<div id=\"s0-0\" class=\"problem\"><p><span class=\"error\">error</span>"
    #expect(page.contains(problem))
    #expect(page.contains("explore --replay &#39;d/diary:3.kill("))
    #expect(page.contains("<details id=\"s1\"><summary><span class=\"path\">good</span>"))
  }

  @Test func `the page of a replay has one point`() async throws {
    let workspace = try Workspace(scenarios: ["diary": Self.torn])
    let page = try await workspace.run(
      "explore", "--replay", "diary:3.kill(2~write)", "--format", "html"
    ).output
    #expect(page.components(separatedBy: "class=\"points\"").count == 2)
    #expect(!page.contains("style=\"--count"))
  }

  @Test func `the command that repeats a trace names the folder`() async throws {
    let workspace = try Workspace(scenarios: [:])
    try workspace.write(Self.torn, to: "Own/d/diary.json5")
    let exploration = try await workspace.run("explore", "Own")
    let command = "replay: swift run backup-testing explore Own --replay 'd/diary:3.kill(2~write)'"
    #expect(exploration.output.contains(command))
    let replay = try await workspace.run(
      "explore", "Own", "--replay", "d/diary:3.kill(2~write)")
    #expect(replay.status == 1)
    let file = try await workspace.run("explore", "Own/d/diary.json5")
    #expect(file.output.contains("explore Own/d/diary.json5 --replay 'diary:"))
  }

  @Test func `a trace's file is not overwritten if it has other contents`() async throws {
    let workspace = try Workspace(scenarios: ["diary": Self.torn])
    let first = try await workspace.run("explore", "--write", "found")
    let second = try await workspace.run("explore", "--write", "found")
    #expect(second.status == 1 && second.output == first.output)
    try workspace.write("mine", to: "found/diary-1.json5")
    let withOtherFile = try await workspace.run("explore", "--write", "found")
    #expect(withOtherFile.status == 2)
    #expect(
      withOtherFile.errors.contains("found/diary-1.json5: the file exists and has other contents"))
    #expect(try workspace.text(of: "found/diary-1.json5") == "mine")
  }

  @Test func `an unknown first step in 'explore' is a failure, in JUnit too`()
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
  func `an invalid depth is an error that names the valid ones`(_ word: String) async throws {
    let workspace = try Workspace(scenarios: ["diary": Self.torn])
    let outcome = try await workspace.run("explore", "--depth", word)
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("--depth: expected a whole number from 1 to 2, not '\(word)'"))
  }

  @Test func `a limit of a run applies to each trace`() async throws {
    let workspace = try Workspace(scenarios: ["a": Self.torn])
    let run = try await workspace.run("explore", "--limit", "work=1")
    #expect(run.status == 1)
    #expect(run.output.hasPrefix("not explored: a: it fails without any injected event"))
    #expect(run.output.contains("the limit of a run is 1"))
  }

  @Test func `a token replays its trace, unless the scenario lacks the point`() async throws {
    let workspace = try Workspace(scenarios: ["d/diary": Self.torn])
    let token = "d/diary:3.kill(2~write)"
    let replay = try await workspace.run("explore", "--replay", token)
    #expect(
      replay.status == 1
        && replay.output.contains(
          "error: user-data-lost: the user loses data in 'Documents/diary.txt' (in step 3")
    )
    #expect(replay.output.contains("--replay '\(token)'"))
    let unknownPoint = try await workspace.run("explore", "--replay", "d/diary:3.kill(2~mark)")
    #expect(unknownPoint.status == 1)
    #expect(
      unknownPoint.output.contains(
        "the scenario no longer has the point that the token names; the token for that point is "
          + "now '3.kill(2~write)'"))
    let passing = try await workspace.run("explore", "--replay", "d/diary:4.relaunch")
    #expect(passing.status == 0 && passing.output.contains("1 trace, complete"))
  }

  @Test func `an exploration that exceeds its budget says so`() async throws {
    let workspace = try Workspace(scenarios: ["diary": Self.torn])
    let run = try await workspace.run("explore", "--budget", "2")
    #expect(run.output.contains("2 traces, INCOMPLETE because the limit on traces was reached"))
    #expect(run.output.contains("1 INCOMPLETE because the limit on traces was reached"))
    #expect(run.status == 1)
  }

  @Test(arguments: [
    ["--depth", "0"], ["--depth", "x"], ["--budget", "-1"], ["--filter", "x"],
    ["--replay", "x"], ["--replay", "diary:1.fly"],
    ["--replay", "diary:1.idle+1.idle+1.idle+1.idle+1.idle"], ["--replay", "x:1.relaunch"],
  ])
  func `invalid options are errors`(arguments: [String]) async throws {
    let workspace = try Workspace(scenarios: ["diary": Self.torn])
    let run = try await workspace.run(["explore"] + arguments)
    #expect(run.status == 2 && run.output.isEmpty && !run.errors.isEmpty)
  }
}
#endif
