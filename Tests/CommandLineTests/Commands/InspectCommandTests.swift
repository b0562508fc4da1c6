#if os(macOS) || os(Linux)
import BackupContainer
import BackupFileTree
import BackupRules
import Foundation
import TestSupport
import Testing

@testable import BackupVerdicts

/// `inspect` prints the items of a container that a backup would include.
@Suite struct InspectCommandTests {
  /// A container list that marks the folder of a movie.
  static let list = """
    # container-list 1 com.example.cinema 26
    Library/Movies\td\t0\tcom.apple.metadata:com_apple_backup_excludeItem\t1\t

    """

  static let classes = """
    {
      title: "Classes",
      app: { bundleIdentifier: "com.example.cinema" },
      files: {
        "Documents/**": "critical", "Library/Caches/**": "cached", "Library/**": "offline",
      },
      budget: "1 KB",
      steps: [{ save: "Documents/a", size: 1 }, { backup: "b" }],
    }
    """

  /// Creates a container, a list and a scenario.
  func workspace() throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write("12345", to: "c/Documents/a.txt")
    try workspace.write("movie", to: "c/Library/Movies/1.mp4")
    try workspace.write("cache", to: "c/Library/Caches/x")
    try workspace.write(Self.list, to: "marks.txt")
    try workspace.write(Self.classes, to: "s.json5")
    return workspace
  }

  /// Decodes the JSON report of a run.
  func report(_ run: Workspace.Outcome) throws -> DecodedInspection {
    try JSONDecoder().decode(DecodedInspection.self, from: Data(run.output.utf8))
  }

  @Test func `a folder that is not an app's container is refused`() async throws {
    let workspace = try Workspace()
    try workspace.write("1", to: "other/a.txt")
    let run = try await workspace.run("inspect", "other")
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("other: Documents, Library and tmp are all missing"))
    let group = try await workspace.run("inspect", "group.com.example.app=other")
    #expect(group.status == 0)
    #expect(group.output.contains("a.txt"))
  }

  @Test func `a folder's totals, folders and files are printed`() async throws {
    let run = try await workspace().run("inspect", "c/")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(run.output.hasPrefix("c: what a backup by iOS \(Sample.newest) would contain\n"))
    #expect(run.output.contains("  10 bytes       2 files  in the backup\n"))
    #expect(run.output.contains("   5 bytes       1 file   excluded by its place\n"))
    #expect(run.output.contains("Library/Movies/  in the backup 5 bytes\n"))
    #expect(
      run.output.contains(
        "Library/Caches/x  excluded by its place: Library/Caches is never backed up"))
    #expect(run.output.contains("note: no item has a mark, and a copy may have lost"))
  }

  @Test func `a list's marks and a scenario's classes are used`() async throws {
    let workspace = try workspace()
    let run = try await workspace.run(
      "inspect", "c", "--marks", "marks.txt", "--files", "s.json5", "--format", "json")
    #expect(run.status == 0)
    let report = try report(run)
    #expect(report.container == "c")
    #expect(report.app == "com.example.cinema")
    #expect(report.totals["mark"]?.bytes == 5)
    #expect(report.classes?["offline"]?["mark"]?.files == 1)
    #expect(report.budgets?.first?.limit == 1000)
    #expect(report.findings.map(\.rule) == ["directory-name"])
    #expect(report.notes.contains("1 item marked by the list marks.txt"))
    let movie = try #require(report.items.first { $0.path == "Library/Movies/1.mp4" })
    #expect(movie.state == "mark")
    #expect(movie.reason == "marked-directory")
    #expect(movie.decidedBy == "Library/Movies")
    #expect(movie.dataClass == "offline")
  }

  @Test func `the status is 1 if a finding is an error`() async throws {
    let run = try await workspace().run("inspect", "c", "--files", "s.json5")
    #expect(run.status == 1)
    #expect(
      run.output.contains("error: recreatable-data-backed-up: 'Library/Movies/1.mp4' is offl"))
    #expect(run.output.contains("    do: set isExcludedFromBackup on it after each save"))
    #expect(
      run.output.contains(
        " 1 file   can be downloaded or created again, but backed up\n"))
  }

  static let noteName = ".com.apple.mobile_container_manager.metadata.plist"

  /// The text of the property list in which iOS notes the owner of a container.
  static func note(_ identifier: String, _ kind: Int) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
      <key>MCMMetadataIdentifier</key><string>\(identifier)</string>
      <key>MCMMetadataContentClass</key><integer>\(kind)</integer>
    </dict></plist>
    """
  }

  /// Creates the same files, and containers of a group, of an extension and of another app.
  func workspaceOfContainers() throws -> Workspace {
    let workspace = try workspace()
    for (name, identifier, kind) in [
      ("c", "com.example.cinema", 2), ("g", "group.com.example", 7),
      ("e", "com.example.cinema.widget", 4), ("other", "com.example", 2),
      ("odd", "org.odd.plugin", 4),
    ] {
      try workspace.write(Self.note(identifier, kind), to: "\(name)/\(Self.noteName)")
      try workspace.write(identifier, to: "\(name)/Documents/own")
    }
    return workspace
  }

  /// Runs `inspect --simulator` with a replacement for `xcrun`.
  ///
  /// The replacement knows the app and its group. With `refusal`, it prints this text and fails.
  func runInSimulator(
    _ app: String, refusal: String? = nil, _ moreArguments: String...
  ) async throws -> Workspace.Outcome {
    let workspace = try workspaceOfContainers()
    try await workspace.addProgram(
      "xcrun",
      """
      \(refusal.map { "echo '\($0)' >&2; exit 1" } ?? "")
      case "$*" in
      'simctl get_app_container booted com.example.cinema data')
        echo 'objc[1]: a class is implemented twice' >&2; echo "$PWD/c" ;;
      'simctl get_app_container booted com.example.cinema groups')
        printf 'group.com.example\\t%s/g\\n' "$PWD" ;;
      *) echo 'No such file or directory' >&2; exit 2 ;;
      esac
      """)
    return try await workspace.run(
      ["inspect", "--simulator", app] + moreArguments,
      environment: ["PATH": workspace.url("bin").path + ":/usr/bin:/bin"])
  }

  @Test func `an app in the booted simulator is inspected with its groups`() async throws {
    let run = try await runInSimulator("com.example.cinema", "--format", "json")
    #expect(run.errors.isEmpty)
    #expect(run.status == 0)
    let report = try report(run)
    #expect(report.containers.map(\.identifier) == ["com.example.cinema", "group.com.example"])
  }

  @Test(arguments: [
    ("com.example.missing", nil, "'com.example.missing' is not installed in the simulator that is"),
    ("com.example.cinema", "No devices are booted.", "no simulator is booted; boot one in Xcode"),
    ("com.example.cinema", "unable to find utility \"simctl\"", "xcode-select --switch"),
    ("com.example.cinema", "Odd", "xcrun simctl names no container: Odd"),
    ("-x", nil, "'-x' is not the bundle identifier of an app"),
  ])
  func `an app that is not in a booted simulator is an error`(
    app: String, refusal: String?, message: String
  ) async throws {
    let run = try await runInSimulator(app, refusal: refusal)
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test func `a machine without Xcode has no simulator`() async throws {
    let workspace = try workspace()
    let run = try await workspace.run(
      "inspect", "--simulator", "com.example.cinema", environment: ["PATH": workspace.url("c").path]
    )
    #expect(run.status == 2)
    #expect(run.errors.contains("--simulator: there is no 'xcrun' on PATH"))
  }

  /// Creates the same files, an earlier state of the container, and a JSON report of that state.
  func workspaceWithEarlierState() async throws -> Workspace {
    let workspace = try workspace()
    try workspace.write("1", to: "old/Documents/a.txt")
    try workspace.write("gone", to: "old/Documents/<gone>")
    try workspace.write("cache", to: "old/Library/Caches/x")
    let json = try await workspace.run("inspect", "old", "--format", "json", "--output", "old.json")
    #expect(json.status == 0)
    return workspace
  }

  @Test(arguments: ["old", "old.json"])
  func `a container is compared with its earlier state`(old: String) async throws {
    let workspace = try await workspaceWithEarlierState()
    let run = try await workspace.run("inspect", "c", "--before", old)
    #expect(run.status == 0)
    #expect(
      run.output.contains(
        """
        changes since \(old):
          5 bytes more in the backup; 1 file added, 1 removed, 1 changed
            5 bytes  Library/Movies/1.mp4  missing → in the backup, 5 bytes
            4 bytes  Documents/<gone>  in the backup, 4 bytes → missing
            4 bytes  Documents/a.txt  in the backup, 1 byte → in the backup, 5 bytes

        """), "\(run.output)")
    let json = try await workspace.run("inspect", "c", "--before", old, "--format", "json")
    let changes = try #require(try report(json).changes)
    #expect(changes.since == old)
    #expect(changes.bytes == 5)
    #expect(changes.items.map(\.change) == ["added", "removed", "changed"])
    #expect(changes.items.map { $0.before?.size } == [nil, 4, 1])
    #expect(changes.items.map { $0.after?.state } == ["in", nil, "in"])
    let page = try await workspace.run("inspect", "c", "--before", old, "--format", "html").output
    #expect(page.contains("<p>Since \(old): 5 bytes more in the backup; 1 file added"))
    #expect(page.contains("<td class=\"path\">Documents/<wbr>&lt;gone&gt;</td>"))
    #expect(page.contains("\"f\",5,0,0,[]]"))
    #expect(page.contains("\"f\",5,0,0,[1,0]]"))
    #expect(page.contains("Only changes <input"))
    let pageWithoutChanges = try await workspace.run("inspect", "c", "--format", "html").output
    #expect(!pageWithoutChanges.contains("Only changes"))
    #expect(!pageWithoutChanges.contains("Since "))
  }
}

/// The output of `inspect --format json`, as another program would decode it.
struct DecodedInspection: Decodable {
  let container: String
  let app: String?
  let totals: [String: Sum]
  let classes: [String: [String: Sum]]?
  let budgets: [Budget]?
  let findings: [Finding]
  let notes: [String]
  let items: [Item]
  let containers: [Container]
  let changes: Changes?

  struct Container: Decodable {
    let identifier: String?
    let states: [String: Sum]
  }

  struct Changes: Decodable {
    let since: String
    let bytes: Int64
    let items: [Change]
  }

  struct Change: Decodable {
    let path, change: String
    let before, after: Side?
  }

  struct Side: Decodable {
    let state: String
    let size: Int64
  }

  struct Budget: Decodable {
    let limit: Int64
  }

  struct Sum: Decodable {
    let files: Int
    let bytes: Int64
  }

  struct Finding: Decodable {
    let rule: String
  }

  struct Item: Decodable {
    let path, kind, state, why: String
    let size: Int64?
    let target, reason, decidedBy, dataClass: String?

    enum CodingKeys: String, CodingKey {
      case path, kind, size, target, state, reason, decidedBy, why
      case dataClass = "class"
    }
  }
}
#endif
