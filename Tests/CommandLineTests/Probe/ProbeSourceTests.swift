import BackupContainer
import BackupDevice
import BackupFileTree
import BackupFolders
import Foundation
import TestSupport
import Testing

/// `probe-source`: the file that it prints is compiled with these tests, by a link to it.
struct ProbeSourceTests {
  private static let app = "com.example.probe"

  @Test func `the file that is compiled here is printed or written`() async throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("ContainerProbe.swift")
    let source = try String(contentsOf: file, encoding: .utf8)
    let workspace = try Workspace()
    #expect(try await workspace.run("probe-source").output == source)
    for _ in 0..<2 {
      #expect(try await workspace.run("probe-source", "--output", "Probe.swift").status == 0)
    }
    #expect(try workspace.text(of: "Probe.swift") == source)
    try workspace.write("else\n", to: "Store.swift")
    #expect(try await workspace.run("probe-source", "--output", "Store.swift").status == 2)
  }

  @Test func `a probe has an item for each question`() throws {
    let paths = (ContainerProbe.items + ContainerProbe.groupItems).map(\.path)
    #expect(paths.count >= 40)
    #expect(Set(ContainerProbe.items.map(\.path)).count == ContainerProbe.items.count)
    #expect(paths.contains { $0.utf8.count == 998 } && paths.contains { $0.utf8.count == 999 })
  }

  /// Makes the items where a phone would, all but those that cannot be made there.
  private static func makeItems(in workspace: Workspace) throws -> [String] {
    let failures = ContainerProbe.makeItems(
      in: workspace.url("home").path, group: workspace.url("group").path)
    // Whoever is not root could read neither its attributes nor its contents.
    try workspace.folder.setPermissions(0o644, of: "home/Documents/without-permissions")
    return failures
  }

  @Test func `all that can be made is made, and the rest is said`() throws {
    let workspace = try Workspace()
    let failures = try Self.makeItems(in: workspace)
    // A socket's path has some hundred bytes at most, and Foundation on Linux may not replace a file.
    let hard = ["Documents/socket: ", "Documents/marked-then-replaced.bin: "]
    #expect(failures.allSatisfy { hard.contains(where: $0.hasPrefix) }, "\(failures)")
    let tree = try FoundContainer(at: workspace.url("home").path).tree
    for path in [
      "Documents/marked.bin", "Documents/marked-by-url.bin", "Documents/marked-both.bin",
    ] {
      #expect(tree[try ContainerPath(path)]?.marks.contains(.resourceValue) == true, "\(path)")
    }
    #expect(tree[try ContainerPath("Documents/marked-legacy.bin")]?.marks == .extendedAttribute)
    #expect(tree[try ContainerPath("Documents/marked-then-atomic.bin")]?.marks == [])
    #expect(tree[try ContainerPath("Documents/hard-link-b")]?.size == 6)
  }

  @Test func `the list that it writes is what compare-backup takes for the container`() async throws
  {
    let workspace = try Workspace()
    _ = try Self.makeItems(in: workspace)
    try ContainerProbe.writeList(of: workspace.url("home").path, app: Self.app)
    let tree = try FoundContainer(at: workspace.url("home").path).tree
    let profile = try #require(SystemProfile.newest)
    let set = BackupSimulator(profile: profile, backups: .local).backUp(tree)
    _ = try BackupFolderWriter.write(
      SimulatedBackup(set, of: tree, app: Self.app),
      of: BackupOrigin(
        app: Self.app, appVersion: "1", system: profile.version, seed: "probe", date: 0),
      to: workspace.url("out").path
    ) { path, url in
      try FileManager.default.copyItem(
        at: workspace.url("home").appendingPathComponent(path.string), to: url)
    }
    let compare = [
      "compare-backup", "out", "--app", Self.app, "--container",
      "home/\(ContainerProbe.listPath)",
    ]
    let run = try await workspace.run(compare)
    #expect(run.errors == "")
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains(" 0 differences"))
    // By the marks of the list alone: without them what is marked is missed.
    let list = try workspace.text(of: "home/\(ContainerProbe.listPath)")
    try workspace.write(
      list.replacing(ContainerProbe.mark, with: "com.example.none"), to: "unmarked.list")
    let unmarked = try await workspace.run(compare.dropLast() + ["unmarked.list"])
    #expect(unmarked.status == 1)
    #expect(unmarked.output.contains("\n  Documents/marked.bin\n"))
  }
}
