#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

/// Files without permissions, for a user who is not root. Permissions do not apply to root.
@Suite(
  .enabled(
    if: Workspace.canRunAsOrdinaryUser,
    "root cannot become nobody here: no setpriv, or a closed temporary folder"))
struct OrdinaryUserTests {
  @Test func `a read-only file keeps its permissions and its mark`() async throws {
    let workspace = try Workspace(scenarios: [
      "a": """
      {
        title: "A file that its owner may only read",
        files: { "Documents/**": "offline" },
        steps: [
          { save: "Documents/a", contents: "text" },
          { exclude: "Documents/a" },
          { run: ["chmod", "440", "Documents/a"] },
          { run: ["sh", "-c", "test ! -w Documents/a && ls -l Documents/a"] },
          { run: ["sh", "-c", "ls -l Documents/a | grep '^-r--r-----'"] },
          { backup: "one" },
        ],
      }
      """
    ])
    let recorded = try await workspace.runAsOrdinaryUser("run", "--allow-run")
    #expect(recorded.status == 0 && recorded.output.contains("1 recorded"), "\(recorded.output)")
    #expect(try workspace.text(of: "Golden/a.golden").contains("  out  Documents/a  (own mark)"))
  }

  @Test func `contents that cannot be examined are an error, and do not count as missing`()
    async throws
  {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    let export = try await workspace.run("export-backup", "a", "--output", "out")
    let device = export.output.trimmingCharacters(in: .newlines)
    let folders = try FileManager.default.contentsOfDirectory(atPath: workspace.url(device).path)
      .filter { $0.count == 2 }
    #expect(folders.count == 1)
    for folder in folders {
      try workspace.folder.setPermissions(0, of: "\(device)/\(folder)")
    }
    let run = try await workspace.runAsOrdinaryUser(
      "compare-backup", "out", "--app", "com.example.app")
    for folder in folders {
      try workspace.folder.setPermissions(0o700, of: "\(device)/\(folder)")
    }
    #expect(run.status == 2)
    #expect(run.errors.contains("cannot be examined: Permission denied"), "\(run.errors)")
  }

  @Test func `a backup folder that cannot be opened is an error, and not unfinished`()
    async throws
  {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    let export = try await workspace.run("export-backup", "a", "--output", "out")
    let device = export.output.trimmingCharacters(in: .newlines)
    // The names in the folder can be listed, but its files cannot be opened.
    try workspace.folder.setPermissions(0o400, of: device)
    let run = try await workspace.runAsOrdinaryUser(
      "compare-backup", "out", "--app", "com.example.app")
    try workspace.folder.setPermissions(0o700, of: device)
    #expect(run.status == 2)
    #expect(
      run.errors.contains("Manifest.plist: cannot be examined: Permission denied"), "\(run.errors)"
    )
  }

  @Test func `a golden file that cannot be written is an error, and the old file stays`()
    async throws
  {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    try workspace.write("# golden 2: a\n", to: "Golden/a.golden")
    try workspace.folder.setPermissions(0o500, of: "Golden")
    let run = try await workspace.runAsOrdinaryUser("run", "--record", "all")
    try workspace.folder.setPermissions(0o700, of: "Golden")
    #expect(
      run.status == 1
        && run.errors.contains("Golden/a.golden: cannot be written: "),
      "\(run.errors)")
    #expect(try workspace.text(of: "Golden/a.golden") == "# golden 2: a\n")
  }

  @Test func `a new golden text that cannot be written is an error in the result`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    try workspace.write("# golden 2: a\n", to: "Golden/a.golden")
    try workspace.folder.setPermissions(0o500, of: "Golden")
    let run = try await workspace.runAsOrdinaryUser("run")
    try workspace.folder.setPermissions(0o700, of: "Golden")
    #expect(
      run.errors.contains(
        "the new text does not wait for a review: Golden/a.golden.new: cannot be written: "),
      "\(run.errors)")
  }

  @Test func `a report that cannot be read is not overwritten`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    try workspace.write("{}", to: "results.json")
    try workspace.folder.setPermissions(0o200, of: "results.json")
    let run = try await workspace.runAsOrdinaryUser(
      "run", "--format", "json", "--output", "results.json")
    try workspace.folder.setPermissions(0o600, of: "results.json")
    #expect(run.status == 2)
    #expect(run.errors.contains("results.json: this file exists and cannot be read"), "\(run)")
    #expect(try workspace.text(of: "results.json") == "{}")
  }

  @Test func `a golden folder that cannot be read is an error, and not free of orphans`()
    async throws
  {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    try workspace.write("# golden 2: b\n", to: "Golden/closed/b.golden")
    try workspace.folder.setPermissions(0o000, of: "Golden/closed")
    let run = try await workspace.runAsOrdinaryUser("run")
    try workspace.folder.setPermissions(0o700, of: "Golden/closed")
    #expect(
      run.status == 1
        && run.errors.contains("Golden/closed: the folder of golden files cannot be read"),
      "\(run.errors)")
  }

  @Test func `a container with an unreadable note on its owner is not inspected`() async throws {
    let workspace = try Workspace()
    let note = "group/.com.apple.mobile_container_manager.metadata.plist"
    try workspace.write("1", to: "group/Library/a")
    try workspace.write("", to: note)
    try workspace.folder.setPermissions(0, of: note)
    let run = try await workspace.runAsOrdinaryUser("inspect", "group")
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors.contains("metadata.plist: cannot be read: permission denied"), "\(run)")
  }

  @Test func `a folder that cannot be examined is not reported as missing`()
    async throws
  {
    let workspace = try Workspace()
    try workspace.folder.makeFolder("closed/Scenarios")
    try workspace.folder.setPermissions(0, of: "closed")
    let run = try await workspace.runAsOrdinaryUser("pending", "--scenarios", "closed/Scenarios")
    try workspace.folder.setPermissions(0o700, of: "closed")
    #expect(run.status == 2)
    #expect(run.errors.contains("closed/Scenarios: permission denied"), "\(run)")
  }
}
#endif
