#if os(macOS) || os(Linux)
import Foundation
import Testing

@testable import BackupContainer
extension ExploreCommandTests {
  @Test func `a point is red also if an earlier one has led to the same state`() async throws {
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
      for act in ["idle", "lowStorage", "criticalStorage", "newDevice"] {
        #expect(row.contains(">\(act)</a>"), "\(step)\(act)")
      }
    }
    #expect(rows.first { $0.hasPrefix("step 1 ") }?.contains("</a>") == false)
  }

  @Test func `a point is red for what follows it, although its trace ends in another's state`()
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
    for (step, acts) in [2: ["idle", "newDevice"], 3: ["idle", "newDevice"], 4: [], 5: [], 6: []] {
      let row = try #require(rows.first { $0.hasPrefix("step \(step) ") })
      for act in ["idle", "newDevice"] {
        #expect(row.contains(">\(act)</a>") == acts.contains(act), "step \(step), \(act)")
        // A trace of its own says the same.
        let one = try await workspace.run("explore", "--replay", "a:\(step).\(act)")
        #expect((one.status == 1) == acts.contains(act), "step \(step), \(act)")
      }
    }
  }

  @Test(arguments: [
    ("text", "\nadvice (unverified): com.example.app: no source says"),
    ("json", #""loss" : "marks""#),
    ("github", "::notice title=com.example.app::advice (unverified)"),
  ])
  func `what depends on what an update may lose is advice, once, and no mistake`(
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
    let all = try await workspace.run("explore", "--format", format)
    #expect(all.status == 0)
    #expect(all.output.components(separatedBy: part).count == 2)
  }

  @Test(arguments: [
    ("/dev/null/x", "'/dev/null' is a device"), ("mine/", "'mine' is a file"),
    ("mine/a/b", "'mine' is a file"), ("./away/a", "'./away' is a link"),
  ])
  func `where a story's folder cannot be made, what is in the way is said`(
    folder: String, obstacle: String
  ) async throws {
    let workspace = try Workspace(scenarios: ["diary": Self.torn])
    try workspace.write("mine", to: "mine")
    try FileManager.default.createSymbolicLink(
      atPath: workspace.url("away").path, withDestinationPath: "nowhere")
    let all = try await workspace.run("explore", "--write", folder)
    #expect(all.status == 2)
    let begin = folder.hasSuffix("/") ? folder : "\(folder)/"
    #expect(
      all.errors.hasSuffix(
        "\(begin)diary-1.json5: cannot be written, because \(obstacle), not a folder; name "
          + "another path\n"))
  }

  @Test func `where the library is not beside the tool, what builds it is said`() async throws {
    let tool = "{ title: 'a', steps: [{ run: ['true'] }] }"
    let workspace = try Workspace(scenarios: ["tool": tool])
    try workspace.write(Self.torn, to: "Others/diary.json5")
    let command = "cp \"$TOOL\" tool && ./tool explore --allow-run"
    let alone = try await workspace.shell(command)
    #expect(
      alone.errors.contains("warning: the app is not killed in the middle of 'run' steps")
        == TapLibrary.isSupported)
    #expect(try await workspace.shell("\(command) Others").errors.isEmpty)
  }

  @Test func `where a process had to be permitted, to replay says so too`() async throws {
    let tool = Self.torn.replacing("steps: [", with: "steps: [{ run: ['true'] },")
    let workspace = try Workspace(scenarios: ["diary": tool])
    let found = try await workspace.run("explore", "--allow-run")
    let command = "explore --allow-run --replay 'diary:4.kill(2~write)'"
    let replay = "replay: swift run backup-testing \(command); the scenario above ("
    #expect(found.output.contains(replay))
    let again = try await workspace.run(
      "explore", "--allow-run", "--replay", "diary:4.kill(2~write)")
    #expect(
      again.status == 1
        && again.output.contains(
          "error: user-data-lost: the user loses data in 'Documents/diary.txt' (in step 4")
    )
  }

  @Test func `a tool is killed amid its changes where it may run`() async throws {
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
    let found = try await workspace.run("explore", "--allow-run")
    #expect(
      found.status == 1
        && found.output.contains(
          "error: user-data-lost: the user loses data in 'Documents/list' (in step 2")
    )
    #expect(!found.output.contains("NOT REPEATED"), "\(found.output)")
    let full = scenario.replacing("\"newer\"] }", with: "\"newer\"], storageFull: {} }")
    try workspace.write(full, to: "Scenarios/list.json5")
    let run = try await workspace.run("run", "--allow-run")
    let errors = run.errors + run.output
    #expect(errors.contains("the storage was full when the app wrote"), "\(errors)")
    try workspace.write(scenario, to: "Scenarios/list.json5")
    try workspace.write("printf $1 > tmp/list && mv tmp/list Documents/list\n", to: "save.sh")
    let right = try await workspace.run("explore", "--allow-run")
    #expect(right.status == 0 && right.output.contains(" 0 wrong, 0 not explored"), "\(right)")
  }
}
#endif
