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
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let source = try ["", "Items", "App"].map {
      try String(
        contentsOf: folder.appendingPathComponent("ContainerProbe\($0).swift"), encoding: .utf8)
    }.joined(separator: "\n")
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
    let home = "/var/mobile/Containers/Data/Application/00000000-0000-0000-0000-000000000000/"
    for prefix in ["/private\(home)", home] {
      for length in [997, 998] {
        let path = paths.first { (prefix + $0).utf8.count == length }
        #expect(path != nil, "\(prefix) \(length)")
      }
    }
    // No path of a phone has more than 1,023 bytes.
    #expect(paths.allSatisfy { ("/private\(home)" + $0).utf8.count < 1024 })
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

  @Test func `what cannot be read is an error, and no list with holes`() throws {
    guard getuid() != 0 else { return }
    let workspace = try Workspace()
    try workspace.write("", to: "home/Documents/Closed/a")
    try workspace.folder.setPermissions(0, of: "home/Documents/Closed")
    let error = #expect(throws: ContainerProbe.Failure.self) {
      try ContainerProbe.writeList(of: workspace.url("home").path, app: Self.app)
    }
    try workspace.folder.setPermissions(0o700, of: "home/Documents/Closed")
    #expect(error?.description.contains("Documents/Closed: cannot be listed") == true)
    #expect(!workspace.exists("home/Documents/container.list"))
  }

  @Test func `a file's owner may read it for a moment`() throws {
    let workspace = try Workspace()
    try workspace.write("a", to: "closed")
    try workspace.write("b", to: "target")
    try workspace.folder.setPermissions(0o040, of: "closed")
    try FileManager.default.createSymbolicLink(
      atPath: workspace.url("link").path, withDestinationPath: "target")
    func permissions(_ name: String) throws -> Int? {
      let url = workspace.url(name)
      return try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }
    let closed = Array(workspace.url("closed").path.utf8)
    let during = try ContainerProbe.withReadPermission(closed) { try permissions("closed") }
    #expect(during == 0o440)
    #expect(try permissions("closed") == 0o040)
    let before = try permissions("target")
    let link = Array(workspace.url("link").path.utf8)
    #expect(try ContainerProbe.withReadPermission(link) { try permissions("target") } == before)
    #expect(throws: ContainerProbe.Failure.self) {
      try ContainerProbe.withReadPermission(closed) { throw ContainerProbe.Failure(closed, "x") }
    }
    #expect(try permissions("closed") == 0o040)
  }

  @Test func `a container that is not there is an error`() throws {
    let workspace = try Workspace()
    let error = #expect(throws: ContainerProbe.Failure.self) {
      try ContainerProbe.writeList(of: workspace.url("home").path, app: Self.app)
    }
    #expect(error?.description.contains("cannot be listed") == true)
  }

  @Test func `a group and an extension are listed in the app's container`() throws {
    let workspace = try Workspace()
    _ = try Self.makeItems(in: workspace)
    try workspace.write("left by the extension", to: "group/extension.list")
    try ContainerProbe.writeLists(
      ofGroup: workspace.url("group").path, name: "group.com.example.probe",
      in: workspace.url("home").path)
    #expect(try workspace.text(of: "home/Documents/extension.list") == "left by the extension")
    let list = try ContainerList(
      Array(try workspace.text(of: "home/Documents/group.list").utf8))
    #expect(list.bundleIdentifier == "group.com.example.probe")
    let tree = try list.tree()
    for item in ContainerProbe.groupItems {
      #expect(tree[try ContainerPath(item.path)] != nil, "\(item.path)")
    }
    #expect(tree[try ContainerPath("marked.bin")]?.marks == .resourceValue)
  }

  @Test func `the names of attributes cannot look like a mark, a field or a line`() throws {
    let workspace = try Workspace()
    try workspace.write("", to: "home/Documents/a")
    let path = workspace.url("home/Documents/a")
    let odd = "a,\(ContainerProbe.mark)\t1\t\nDocuments/b\tf\t1\t\(ContainerProbe.mark)"
    do {
      try ContainerProbe.set(odd, on: path)
    } catch {
      return  // No attribute here may have such a name.
    }
    let list = try ContainerList(
      try ContainerProbe.list(of: workspace.url("home").path, app: Self.app))
    let tree = try list.tree()
    #expect(tree[try ContainerPath("Documents/a")]?.marks == [])
    #expect(tree[try ContainerPath("Documents/b")] == nil)
  }

  @Test func `the list that it writes is what compare-backup takes for the container`() async throws
  {
    let workspace = try Workspace()
    _ = try Self.makeItems(in: workspace)
    try ContainerProbe.writeList(of: workspace.url("home").path, app: Self.app)
    let tree = try FoundContainer(at: workspace.url("home").path).tree
    let profile = try #require(SystemProfile.newest)
    let set = BackupSimulator(profile: profile, backups: .local).backUp(tree)
    _ = try SimulatedBackup(set, of: tree, app: Self.app).write(
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
