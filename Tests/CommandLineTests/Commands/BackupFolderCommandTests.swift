import Foundation
import TestSupport
import Testing

/// `export-backup` and `compare-backup`: backup folders, out and in.
@Suite struct BackupFolderCommandTests {
  /// Backs up twice, with a marked file and a group.
  private static let scenario = """
    {
      title: "Backed up twice",
      app: { bundleIdentifier: "com.example.cinema", groups: ["group.com.example.cinema"] },
      steps: [
        { save: "Documents/list.json", contents: "[]" },
        { backup: "first" },
        { save: "Documents/movie.mp4", size: 5 },
        { exclude: "Documents/movie.mp4" },
        { save: "group.com.example.cinema:/widget.json", size: 7 },
        { backup: "second" },
      ],
    }
    """

  /// Lays out the container that the scenario has at its second backup, but for its mark.
  private static func layOut(_ workspace: Workspace) throws {
    try workspace.write("[]", to: "container/AppData/Documents/list.json")
    for path in ["Library/Caches", "Library/Preferences", "tmp"] {
      try workspace.folder.makeFolder("container/AppData/\(path)")
    }
    try workspace.write("1234567", to: "group/widget.json")
    try workspace.folder.makeFolder("group/Library/Caches")
  }

  @Test func `a backup is exported, and agrees with its containers`() async throws {
    let workspace = try Workspace(scenarios: ["a": Self.scenario])
    let export = try await workspace.run("export-backup", "a", "--step", "6", "--output", "out")
    #expect(export.errors == "")
    #expect(export.status == 0)
    let device = export.output.trimmingCharacters(in: .newlines)
    #expect(device.hasPrefix("out/") && device.count == 44)
    for name in ["Manifest.db", "Manifest.plist", "Info.plist", "Status.plist"] {
      #expect(workspace.exists("\(device)/\(name)"))
    }
    #expect(
      workspace.files(in: "out").allSatisfy { !$0.contains("-wal") && !$0.contains("journal") })
    try Self.layOut(workspace)
    let compare = try await workspace.run(
      "compare-backup", "out", "--app", "com.example.cinema", "--container", "container",
      "--group", "group.com.example.cinema=group")
    #expect(compare.errors == "")
    #expect(compare.status == 0)
    #expect(
      compare.output == """
        out in both (3):
          Library/Caches: location
          group.com.example.cinema:/Library/Caches: location
          tmp: location
        7 items in both, 3 left out in both, 0 differences, by the rules of iOS \(Sample.newest)

        """)
  }

  @Test func `a difference is status 1, in text and in JSON`() async throws {
    let workspace = try Workspace(scenarios: ["a": Self.scenario])
    #expect(
      try await workspace.run("export-backup", "a", "--step", "2", "--output", "out").status == 0)
    try Self.layOut(workspace)
    try workspace.write("new", to: "container/AppData/Documents/new.txt")
    let arguments = [
      "compare-backup", "out", "--app", "com.example.cinema", "--container", "container/AppData",
    ]
    let text = try await workspace.run(arguments)
    #expect(text.status == 1)
    #expect(
      text.output.hasPrefix("predicted in, not in the backup (1):\n  Documents/new.txt\n"))
    let json = try await workspace.run(arguments + ["--format", "json"])
    #expect(json.status == 1)
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let differences = try #require(object?["differences"] as? [[String: String]])
    #expect(differences == [["path": "Documents/new.txt", "outcome": "predicted-in"]])
  }

  @Test func `an app's own list stands for its container, and a record is written once`()
    async throws
  {
    let workspace = try Workspace(scenarios: ["a": Self.scenario])
    #expect(
      try await workspace.run("export-backup", "a", "--step", "6", "--output", "out").status == 0)
    let mark = "com.apple.metadata:com_apple_backup_excludeItem"
    let list = """
      # container-list 1 com.example.cinema 18.1
      Documents\td\t0\t\t1\t
      Documents/list.json\tf\t2\t\t2\t
      Documents/movie.mp4\tf\t5\t\(mark)\t3\t
      Library/Preferences\td\t0\t\t4\t

      """
    try workspace.write(list, to: "container/Documents/container.list")
    let arguments = [
      "compare-backup", "out", "--app", "com.example.cinema", "--record", "record.json",
      "--container",
    ]
    let run = try await workspace.run(arguments + ["container"])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("  Documents/movie.mp4: own mark\n"))
    #expect(run.output.contains("note: the app's container is as Documents/container.list says"))
    #expect(try workspace.text(of: "record.json").contains("\"own-mark\" : 1"))
    let again = try await workspace.run(arguments + ["container/Documents/container.list"])
    #expect(again.status == 2)
    #expect(again.errors.contains("record.json: something is there; name a new file"))
    try workspace.replace(
      "com.example.cinema", with: "a.b", in: "container/Documents/container.list")
    let other = try await workspace.run(arguments + ["container"])
    #expect(other.errors.contains("this is of 'a.b', not of 'com.example.cinema'"))
  }

  @Test func `without a container the report says what it could not see`() async throws {
    let workspace = try Workspace(scenarios: ["a": Self.scenario])
    #expect(
      try await workspace.run("export-backup", "a", "--step", "6", "--output", "out").status == 0)
    let run = try await workspace.run("compare-backup", "out", "--app", "com.example.cinema")
    #expect(run.status == 0)
    #expect(run.output.contains("note: AppDomain-com.example.cinema: no container was given"))
    let other = try await workspace.run("compare-backup", "out", "--app", "com.example.other")
    #expect(other.status == 2)
    #expect(other.errors.contains("there is nothing of 'com.example.other' in this backup"))
  }

  @Test(arguments: [
    (["a", "--output", "out"], "name the step by --step: a takes a backup at step 2 and step 6"),
    (["a", "--step", "3", "--output", "out"], "--step: '3' is no step that takes a backup"),
    (["a", "--step", "2"], "'--output' is missing"),
    (["a", "--step", "2", "--output", "Scenarios"], "something is there; name a new folder"),
    (["a", "--step", "2", "--output", "no/where/out"], "no/where"),
    (["--output", "out"], "an operand is missing"),
  ])
  func `an export that cannot be done is an error, and nothing is written`(
    arguments: [String], words: String
  ) async throws {
    let workspace = try Workspace(scenarios: ["a": Self.scenario])
    let before = try workspace.folder.names()
    let run = try await workspace.run(["export-backup"] + arguments)
    #expect(run.status == 2)
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(try workspace.folder.names() == before)
  }

  @Test(arguments: [
    (["Scenarios", "--app", "a.b"], "this is no backup folder"),
    (["missing", "--app", "a.b"], "missing: "),
    (["Scenarios"], "'--app' is missing"),
    (["Scenarios", "--app", "a b"], "is no bundle identifier"),
    (["Scenarios", "--app", "a.b", "--group", "x"], "--group: 'x' is no identifier of a group"),
    (
      ["Scenarios", "--app", "a.b", "--extension", "c.d"],
      "--extension: 'c.d' is no bundle identifier"
    ),
    (["Scenarios", "--app", "a.b", "--container", "missing"], "missing: no such folder"),
    (["Scenarios", "--app", "a.b", "--format", "html"], "--format: there is no format 'html'"),
  ])
  func `a comparison that cannot be made is an error`(
    arguments: [String], words: String
  ) async throws {
    let workspace = try Workspace(scenarios: ["a": Self.scenario])
    let run = try await workspace.run(["compare-backup"] + arguments)
    #expect(run.status == 2)
    #expect(run.output == "")
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test func `an export that is interrupted leaves nothing`() async throws {
    let workspace = try Workspace(scenarios: ["a": Self.scenario])
    _ = try await workspace.shell(
      "\"$TOOL\" export-backup a --step 6 --output out & kill -TERM $!; wait $!")
    let names = try workspace.folder.names().filter { !$0.hasPrefix("Scenarios") }
    #expect(names.isEmpty || names.contains { $0.hasSuffix("Manifest.db") })
    #expect(!names.contains { $0.hasPrefix("sbt-") || $0.hasPrefix(".") })
  }
}
