#if os(macOS) || os(Linux)
import BackupFileTree
import Foundation
import TestSupport
import Testing

/// `export-backup` writes a backup as a folder, and `compare-backup` compares a folder with the
/// kit's prediction.
@Suite struct BackupFolderCommandTests {
  /// A scenario with two backups, a marked file and a group.
  static let scenario = """
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

  /// Creates the container that the scenario has at its second backup, without the marked file.
  static func layOut(_ workspace: Workspace) throws {
    try workspace.write("[]", to: "container/AppData/Documents/list.json")
    for path in ["Library/Caches", "Library/Preferences", "tmp"] {
      try workspace.folder.makeFolder("container/AppData/\(path)")
    }
    try workspace.write("1234567", to: "group/widget.json")
    try workspace.folder.makeFolder("group/Library/Caches")
  }

  /// Exports the scenario's backup at a step to the folder `out`, and creates the container.
  static func exported(step: Int) async throws -> Workspace {
    let workspace = try Workspace(scenarios: ["a": scenario])
    let run = try await workspace.run(
      "export-backup", "a", "--step", "\(step)", "--output", "out")
    try #require(run.status == 0, "\(run.errors)")
    try layOut(workspace)
    return workspace
  }

  @Test func `a backup is exported, and compared with its containers`() async throws {
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
      compare.output.drop { $0 != "\n" } == """

        excluded, as predicted (3):
          excluded by its place: Library/Caches, group.com.example.cinema:/Library/Caches, tmp
        7 items in the backup as predicted, 3 excluded as predicted, 0 differences, by the rules of iOS \(Sample.newest)

        """)
  }

  /// Exports a backup to the folder `out`, and encrypts it.
  static func encrypted(password: String) async throws -> Workspace {
    let workspace = try await exported(step: 2)
    let device = try #require(workspace.files(in: "out").first { $0.hasSuffix("Manifest.db") })
    try FolderEncryption(password: password).encrypt(
      workspace.url("out/\(device)").deletingLastPathComponent().path)
    return workspace
  }

  static let compare = [
    "compare-backup", "out", "--app", "com.example.cinema", "--container", "container",
  ]

  #if os(Linux)
  #endif

  @Test func `a difference is reported as text and as JSON, with status 1`() async throws {
    let workspace = try await Self.exported(step: 2)
    try workspace.write("new", to: "container/AppData/Documents/new.txt")
    let arguments = [
      "compare-backup", "out", "--app", "com.example.cinema", "--container", "container/AppData",
    ]
    let text = try await workspace.run(arguments)
    #expect(text.status == 1)
    #expect(
      text.output.contains(
        "\npredicted to be in the backup, but missing from it (1):\n  Documents/new.txt\n"))
    let json = try await workspace.run(arguments + ["--format", "json"])
    #expect(json.status == 1)
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let differences = try #require(object?["differences"] as? [[String: String]])
    #expect(differences == [["path": "Documents/new.txt", "outcome": "predicted-in"]])
    #expect(object?["format"] as? Int == 1)
  }

  /// Changes a property list in the backup in `out`.
  static func change(
    _ name: String, in workspace: Workspace, _ change: (inout [String: Any]) -> Void
  ) throws {
    let file = try #require(workspace.files(in: "out").first { $0.hasSuffix(name) })
    let url = workspace.url("out/\(file)")
    let list = try PropertyListSerialization.propertyList(
      from: try Data(contentsOf: url), options: [], format: nil)
    var values = try #require(list as? [String: Any])
    change(&values)
    try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
      .write(to: url)
  }
}
#endif
