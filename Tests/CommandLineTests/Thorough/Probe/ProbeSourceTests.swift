#if os(macOS) || os(Linux)
import BackupContainer
import BackupDevice
import BackupFileTree
import BackupFolders
import BackupReports
import Foundation
import TestSupport
import Testing

/// `probe-source` and `probe-app` write the source code of an app that tests a phone.
///
/// The source files are compiled with these tests, through links. The app's manifest and view are
/// not, because they need Apple's modules.
struct ProbeSourceTests {
  private static let app = "com.example.probe"

  /// Returns the text of a source file that is part of the tool.
  private static func resource(_ name: String) throws -> String {
    try Checkout.text(of: "Sources/backup-testing/Resources/\(name).swift.txt")
  }

  @Test func `the compiled source file is printed or written`() async throws {
    let source = try Self.resource("ContainerProbe")
    let workspace = try Workspace()
    #expect(try await workspace.run("probe-source").output == source)
    for _ in 0..<2 {
      #expect(try await workspace.run("probe-source", "--output", "Probe.swift").status == 0)
    }
    #expect(try workspace.text(of: "Probe.swift") == source)
    try workspace.write("else\n", to: "Store.swift")
    #expect(try await workspace.run("probe-source", "--output", "Store.swift").status == 2)
  }

  @Test func `an app package is written with the compiled source files`() async throws {
    let workspace = try Workspace()
    let run = try await workspace.run("probe-app", "--output", "Probe.swiftpm/")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("Probe.swiftpm: open it in Xcode"))
    let sources = ["", "App", "Items", "Making"].map { "ContainerProbe\($0)" }
    for name in sources {
      let text = try workspace.text(of: "Probe.swiftpm/Sources/\(name).swift")
      #expect(text == (try Self.resource(name)))
    }
    let manifest = try workspace.text(of: "Probe.swiftpm/Package.swift")
    #expect(manifest == (try Self.resource("ContainerProbePackage")))
    #expect(manifest.hasPrefix("// swift-tools-version: 5.9\n"))
    #expect(manifest.contains("bundleIdentifier: \"com.example.backup-probe\","))
    #expect(
      try workspace.folder.names().filter { $0.hasPrefix("Probe.swiftpm/") }.count == 6)
    let withIdentifier = try await workspace.run(
      "probe-app", "--output", "b.swiftpm", "--app", "a.b")
    #expect(withIdentifier.status == 0)
    #expect(try workspace.text(of: "b.swiftpm/Package.swift").contains("Identifier: \"a.b\","))
  }

  @Test(arguments: [
    (["--output", "Probe"], "ends in '.swiftpm'; add that"), ([], "'--output' is missing"),
    (["--output", "there.swiftpm"], "there.swiftpm: the folder already exists; name a new one"),
    (["--output", "no/a.swiftpm"], "no/a.swiftpm: "),
    (["--output", "a.swiftpm", "--app", "a\"b"], "is not a bundle identifier"),
  ])
  func `an app package that cannot be written is an error, and nothing is written`(
    arguments: [String], message: String
  ) async throws {
    let workspace = try Workspace()
    try workspace.write("else\n", to: "there.swiftpm/a")
    let before = try workspace.folder.names()
    let run = try await workspace.run(["probe-app"] + arguments)
    #expect(run.status == 2)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(try workspace.folder.names() == before)
  }

  @Test func `a probe has an item for each question`() throws {
    let questions = Set(ContainerProbe.items.filter(\.isMarked).map(\.question))
    #expect(ProbeAnswers.markLossQuestions.isSubset(of: questions))
    let paths = ContainerProbe.items.map(\.path)
    #expect(paths.count >= 55)
    #expect(Set(paths).count == paths.count)
    #expect(Set(ContainerProbe.items.map(\.question)).count == paths.count)
    let home = "/var/mobile/Containers/Data/Application/00000000-0000-0000-0000-000000000000/"
    for prefix in ["/private\(home)", home] {
      for length in [997, 998] {
        let path = paths.first { (prefix + $0).utf8.count == length }
        #expect(path != nil, "\(prefix) \(length)")
      }
    }
    // On a phone, a path has at most 1,023 bytes.
    #expect(paths.allSatisfy { ("/private\(home)" + $0).utf8.count < 1024 })
  }

  /// Launches the probe app in the folder `home`, and returns the text on its screen.
  @discardableResult
  private static func launch(in workspace: Workspace) throws -> String {
    try workspace.write("", to: "home/Documents/own")
    let text = ContainerProbe.launch(in: workspace.url("home").path)
    // Without this change, only root could read the file's attributes and contents.
    try workspace.folder.setPermissions(0o644, of: "home/Documents/without-permissions")
    return text
  }

  private static func list(_ name: String, in workspace: Workspace) throws -> ContainerList {
    try ContainerList(Array(try workspace.text(of: "home/Documents/\(name).list").utf8))
  }

  @Test func `each item is created, or listed with the reason why not`() throws {
    let workspace = try Workspace()
    let text = try Self.launch(in: workspace)
    let list = try Self.list("container", in: workspace)
    let notCreated = list.linesByPath.filter { $0.value.kindLetter == "-" }
    // A socket's path can have only about 100 bytes, and Foundation on Linux can fail to replace a
    // file.
    let itemsThatMayFail = ["Documents/socket", "Documents/marked-then-replaced.bin"]
    #expect(notCreated.keys.allSatisfy(itemsThatMayFail.contains), "\(notCreated)")
    #expect(notCreated.values.allSatisfy { !$0.targetOrReason.isEmpty && $0.question != nil })
    let count = ContainerProbe.items.count
    #expect(text.hasPrefix("\(count - notCreated.count) of \(count) items were made"), "\(text)")
    #expect(
      text.contains("\n\nswift run backup-testing compare-backup --probe --record FILE\n"),
      "\(text)")
    // The article shows the answers of a phone that creates all items. One answer differs from the
    // prediction.
    #expect(try Checkout.article("BackupFolders").contains("as predicted (\(count - 1)):"))
    let tree = try FoundContainer(at: workspace.url("home").path).tree
    for path in notCreated.keys {
      #expect(tree[try ContainerPath(path)] == nil, "\(path)")
      #expect(text.contains("\n\nNot made: \(path). "), "\(text)")
    }
    for path in [
      "Documents/marked.bin", "Documents/marked-by-url.bin", "Documents/marked-both.bin",
      "Documents/marked-folder",
    ] {
      #expect(tree[try ContainerPath(path)]?.marks.contains(.resourceValue) == true, "\(path)")
    }
    #expect(tree[try ContainerPath("Documents/marked-legacy.bin")]?.marks == .extendedAttribute)
    #expect(tree[try ContainerPath("Documents/marked-then-atomic.bin")]?.marks == [])
    #expect(tree[try ContainerPath("Documents/hard-link-b")]?.size == 6)
  }

  @Test func `the list has the question and the attributes of each item`() throws {
    let workspace = try Workspace()
    try Self.launch(in: workspace)
    let list = try Self.list("container", in: workspace)
    #expect(list.precedingEvent == nil)
    for item in ContainerProbe.items {
      let line = try #require(list.linesByPath[item.path], "\(item.path)")
      #expect(line.question == item.question)
      #expect(line.wasMarked == item.isMarked, "\(item.path)")
      #expect(
        line.kindLetter == "-" || (line.permissions != nil && line.modificationTime != nil),
        "\(item.path)")
    }
    #expect(list.linesByPath["Documents/own"]?.question == nil)
    #expect(list.linesByPath["Documents/without-permissions"]?.permissions == 0)
    #expect(list.linesByPath["Documents/hard-link-a"]?.linkCount == 2)
    let saved = try #require(list.linesByPath["Documents/marked-then-atomic.bin"])
    #expect(saved.wasMarked && saved.marks.isEmpty)
  }

  @Test func `a later launch changes nothing, and each occasion has a list of its own`() throws {
    let workspace = try Workspace()
    try Self.launch(in: workspace)
    let list = try workspace.text(of: "home/Documents/container.list")
    try FileManager.default.removeItem(at: workspace.url("home/Documents/plain.txt"))
    let secondText = try Self.launch(in: workspace)
    #expect(
      secondText.hasPrefix("The items and the first list are on this device already."),
      "\(secondText)")
    #expect(secondText.hasSuffix(" compare-backup --probe --record FILE"), "\(secondText)")
    #expect(!workspace.exists("home/Documents/plain.txt"))
    for occasion in ContainerProbe.Occasion.allCases {
      let text = ContainerProbe.writeList(after: occasion, in: workspace.url("home").path)
      #expect(text.hasPrefix("The list Documents/after-\(occasion).list was written."), "\(text)")
      #expect(text.hasSuffix(" compare-backup --probe --record FILE"), "\(text)")
      let after = try Self.list("after-\(occasion)", in: workspace)
      #expect(after.precedingEvent?.rawValue == occasion.rawValue)
      #expect(after.linesByPath["Documents/plain.txt"] == nil)
      #expect(after.linesByPath["Documents/marked.bin"]?.question == "marked by the attribute")
    }
    let occasions = ContainerProbe.Occasion.allCases.map(\.rawValue)
    #expect(occasions == ContainerList.Occasion.allCases.map(\.rawValue))
    // The last list has replaced the first list, because the next occasion starts from this state.
    #expect(try workspace.text(of: "home/Documents/container.list") != list)
  }

  @Test func `a list that cannot be written is reported on the screen`() throws {
    let workspace = try Workspace()
    try workspace.write("", to: "home")
    let home = workspace.url("home").path
    #expect(ContainerProbe.launch(in: home).contains("No list was written. Delete this app"))
    let text = ContainerProbe.writeList(after: .purge, in: home)
    #expect(text.contains("after-purge.list was not written."), "\(text)")
  }

  @Test func `an unreadable directory is an error, and no incomplete list is written`() throws {
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

  @Test func `an unreadable file becomes readable only for a moment`() throws {
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

  @Test func `a missing container is an error`() throws {
    let workspace = try Workspace()
    let error = #expect(throws: ContainerProbe.Failure.self) {
      try ContainerProbe.writeList(of: workspace.url("home").path, app: Self.app)
    }
    #expect(error?.description.contains("cannot be listed") == true)
  }

  @Test func `the lists of a group and an extension are written to the app's container`() throws {
    let workspace = try Workspace()
    try workspace.write("", to: "home/Documents/own")
    try workspace.write("left by the extension", to: "group/extension.list")
    try workspace.write("", to: "group/marked.bin")
    try ContainerProbe.set(ContainerProbe.mark, on: workspace.url("group/marked.bin"))
    try ContainerProbe.writeLists(
      ofGroup: workspace.url("group").path, name: "group.com.example.probe",
      in: workspace.url("home").path)
    #expect(try workspace.text(of: "home/Documents/extension.list") == "left by the extension")
    let list = try Self.list("group", in: workspace)
    #expect(list.bundleIdentifier == "group.com.example.probe")
    let tree = try list.tree()
    #expect(tree[try ContainerPath("marked.bin")]?.marks == .resourceValue)
  }

  @Test func `an attribute's name cannot be mistaken for a mark, a field or a line`() throws {
    let workspace = try Workspace()
    try workspace.write("", to: "home/Documents/a")
    let path = workspace.url("home/Documents/a")
    let odd = "a,\(ContainerProbe.mark)\t1\t\nDocuments/b\tf\t1\t\(ContainerProbe.mark)"
    do {
      try ContainerProbe.set(odd, on: path)
    } catch {
      return  // This file system refuses the name.
    }
    let list = try ContainerList(
      try ContainerProbe.list(of: workspace.url("home").path, app: Self.app))
    let tree = try list.tree()
    #expect(tree[try ContainerPath("Documents/a")]?.marks == [])
    #expect(tree[try ContainerPath("Documents/b")] == nil)
  }

  @Test func `compare-backup can read the app's list instead of the container`() async throws {
    let workspace = try Workspace()
    try Self.launch(in: workspace)
    try ContainerProbe.writeList(of: workspace.url("home").path, app: Self.app)
    let tree = try FoundContainer(at: workspace.url("home").path).tree
    let profile = try #require(SystemProfile.newest)
    let backupSet = BackupSimulator(profile: profile, backups: .local).backUp(tree)
    _ = try SimulatedBackup(backupSet, of: tree, app: Self.app).write(
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
    // The marks come only from the list. Without them, the marked items differ.
    let list = try workspace.text(of: "home/\(ContainerProbe.listPath)")
    try workspace.write(
      list.replacing(ContainerProbe.mark, with: "com.example.none"), to: "unmarked.list")
    let unmarked = try await workspace.run(compare.dropLast() + ["unmarked.list"])
    #expect(unmarked.status == 1)
    #expect(unmarked.output.contains("\n  Documents/marked.bin\n"))
  }
}
#endif
