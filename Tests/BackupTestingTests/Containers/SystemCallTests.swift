import Foundation
import Testing

@testable import BackupContainer
@testable import BackupDevice
@testable import BackupFileTree
@testable import BackupScenarios
@testable import BackupTesting

/// Calls that make iOS act on a container.
@Suite(.container) struct SystemCallTests {
  private let container: FakeContainer

  init() throws {
    container = try FakeContainer.current
  }

  private func write(_ path: String, _ text: String = "text") throws {
    try Data(text.utf8).write(to: container.url.appendingPathComponent(path))
  }

  private func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: container.url.path + "/" + path)
  }

  @Test func `a purge empties Caches, and critical storage also empties tmp`() throws {
    try write("Library/Caches/a")
    try write("tmp/b")
    #expect(try container.purge().map(\.path.description).contains("Library/Caches/a"))
    #expect(!exists("Library/Caches/a") && exists("tmp/b") && exists("Library/Caches"))
    try container.purge(.criticalStorage)
    #expect(!exists("tmp/b"))
  }

  @Test func `a kill changes no files, whether the app runs or not`() throws {
    try write("tmp/a")
    try container.killApp()
    try container.killApp()
    #expect(exists("tmp/a"))
    #expect(container.formerURLs.isEmpty)
  }

  @Test func `an offloaded app can do nothing until it is reinstalled`() async throws {
    try write("Documents/a")
    try write("Library/Caches/b")
    try container.offloadApp()
    #expect(exists("Documents/a") && !exists("Library/Caches/b"))
    let errors = [
      #expect(throws: RunError.self) { try container.offloadApp() },
      #expect(throws: RunError.self) { try container.updateApp() },
      #expect(throws: RunError.self) { try container.place("Documents/c", .zeros(1)) },
      await #expect(throws: RunError.self) { try await container.perform("run") {} },
    ]
    #expect(errors.allSatisfy { $0?.code == .notInstalled })
    try container.reinstallApp()
    #expect(exists("Documents/a") && container.formerURLs.count == 1)
    try await container.perform("run") {}
  }

  @Test func `a deleted app has no data after it is reinstalled`() throws {
    try write("Documents/a")
    try container.reinstallApp()
    #expect(try container.scan() == FileTree.Layout.newlyInstalled.tree)
    #expect(container.formerURLs.count == 1)
  }

  @Test(.container(files: ["Documents/**": .cached]))
  func `a file that iOS placed is not the app's fault`() async throws {
    let container = try FakeContainer.current
    try container.place("Documents/From/a.csv", .text("x"))
    try container.backUp()
    #expect(try container.findings().isEmpty)
    try await container.perform("append") {
      let url = container.documents.appendingPathComponent("From/a.csv")
      try Data("xy".utf8).write(to: url)
    }
    try container.backUp()
    #expect(try container.findings().map(\.rule) == ["recreatable-data-backed-up"])
    let error = #expect(throws: RunError.self) { try container.place("/a", .zeros(1)) }
    #expect(error?.code == .invalidPath)
    #expect(throws: RunError.self) { try container.place("Documents", .zeros(1)) }
  }

  @Test(.container(backups: .off))
  func `a transfer copies data that a switched off backup lacks`() throws {
    let container = try FakeContainer.current
    try Data("text".utf8).write(to: container.documents.appendingPathComponent("a"))
    let backup = try container.backUp()
    try container.restore(from: backup, to: .transfer)
    let data = try Data(contentsOf: container.documents.appendingPathComponent("a"))
    #expect(data == Data("text".utf8))
    try container.restore(from: backup, to: .sameDevice)
    #expect(try container.scan() == FileTree.Layout.newlyInstalled.tree)
  }

  @Test(.container(backups: .off, files: ["Documents/**": .critical]))
  func `a backup that the user has switched off is empty, and causes no findings`() throws {
    let container = try FakeContainer.current
    try Data("text".utf8).write(to: container.documents.appendingPathComponent("a"))
    let backup = try container.backUp()
    #expect(backup.files.isEmpty && backup.description.contains("switched off by the user"))
    try container.restore(from: backup)
    #expect(try container.scan() == FileTree.Layout.newlyInstalled.tree)
    #expect(try container.findings().isEmpty)
  }

  @Test func `an update moves Documents and Library to another path, and tmp on request`() throws {
    try write("Documents/a")
    try write("tmp/b")
    try write("tmp/c")
    let before = container.url
    try container.updateApp(to: "3.0", keeping: ["tmp/b"])
    #expect(container.url != before)
    #expect(exists("Documents/a") && exists("tmp/b") && !exists("tmp/c"))
    let error = #expect(throws: RunError.self) { try container.updateApp(keeping: ["/tmp"]) }
    #expect(error?.description.hasPrefix("the path ") == true)
  }

  @Test func `an update loses the same items on disk as in the simulator`() throws {
    try FileManager.default.createDirectory(
      at: container.caches.appendingPathComponent("b"), withIntermediateDirectories: false)
    for path in ["Documents/a", "Library/Caches/b/c", "Library/Caches/d", "tmp/e", "tmp/f"] {
      try write(path)
    }
    let profile = try #require(SystemProfile.newest)
    let (keptPaths, lostPatterns) = (["tmp"], ["Library/Caches/b", "tmp/*f"])
    let expected = UpdateSimulator(profile: profile).update(
      try container.scan(), keeping: try keptPaths.map { try ContainerPath($0) },
      losing: try lostPatterns.map { try PathPattern($0) })
    try container.updateApp(to: "3.0", keeping: keptPaths, losing: lostPatterns)
    #expect(try container.scan() == expected)
    #expect(exists("Library/Caches/d") && exists("tmp/e") && !exists("tmp/f"))
    #expect(!exists("Library/Caches/b"))
  }

  @Test(arguments: ["Documents/*", "Library", "Library/Caches*", "**", "*/a", "/tmp", ""])
  func `a pattern of items that an update always keeps is refused`(pattern: String) throws {
    let error = #expect(throws: RunError.self) { try container.updateApp(losing: [pattern]) }
    #expect(error?.code == .invalidPath)
    #expect(error?.description.contains("'\(pattern)'") == true)
  }

  @Test func `a label that is already taken gets the first free number`() throws {
    let labels = ["a", "a 3", "a", "a", "b", "a", "a 2", "a 2", "b", "a"]
    var expectedLabels: [String] = []
    for label in labels {
      let numbered = (2...).lazy.map { "\(label) \($0)" }.first { !expectedLabels.contains($0) }
      expectedLabels.append(expectedLabels.contains(label) ? numbered ?? label : label)
    }
    #expect(
      expectedLabels == ["a", "a 3", "a 2", "a 4", "b", "a 5", "a 2 2", "a 2 3", "b 2", "a 6"])
    #expect(try labels.map { try container.backUp($0).label } == expectedLabels)
  }

  @Test func `backups in a loop have different labels, and each can be restored`() throws {
    var backups: [FakeContainer.Backup] = []
    for number in 1...3 {
      try write("Documents/a", "\(number)")
      backups.append(try container.backUp())
    }
    for number in [2, 1, 3, 1] {
      let before = container.url
      try container.restore(from: backups[number - 1])
      #expect(container.url != before)
      let file = container.documents.appendingPathComponent("a")
      #expect(try String(contentsOf: file, encoding: .utf8) == "\(number)")
    }
  }

  @Test func `another container's backup with the same label is refused, and nothing changes`()
    throws
  {
    try write("Documents/mine")
    try container.backUp()
    let other = try FakeContainer()
    let foreign = try other.backUp()
    let before = container.url
    let error = #expect(throws: RunError.self) { try container.restore(from: foreign) }
    #expect(error?.description.contains("of another container") == true)
    #expect(container.url == before && exists("Documents/mine"))
    try other.remove()
  }

  @Test func `an item is explained by its place, its mark, or the lack of one`() throws {
    try write("Documents/a")
    try write("Library/Caches/b")
    try write("Library/c")
    try container.library.appendingPathComponent("c").excludeFromBackup()
    #expect(try container.explain("Library/c").contains("own mark"))
    #expect(
      try container.explain("Documents/a").contains(
        "included: neither the item nor a directory above"))
    #expect(try container.explain("Library/Caches/b").contains("excluded: "))
    #expect(try container.explain("Documents/none") == "'Documents/none' is missing")
    #expect(throws: RunError.self) { try container.explain("../x") }
  }

  @Test func `changes of code that throws are seen`() async throws {
    await #expect(throws: CocoaError.self) {
      try await container.perform("half") {
        try write("Documents/half")
        throw CocoaError(.fileWriteOutOfSpace)
      }
    }
    #expect(try container.backUp().contains("Documents/half"))
    let value = try await container.perform { 42 }
    #expect(value == 42)
  }

  @Test @MainActor func `code keeps the isolation of its caller`() async throws {
    try await container.perform { MainActor.assertIsolated() }
  }
}

/// Comparisons and descriptions of backups.
@Suite(.container) struct BackupTests {
  private let container: FakeContainer

  init() throws {
    container = try FakeContainer.current
    try Data(count: 10).write(to: container.documents.appendingPathComponent("a.txt"))
    try Data(count: 5).write(to: container.library.appendingPathComponent("b"))
  }

  @Test func `backups with the same items are equal`() throws {
    let first = try container.backUp()
    let second = try container.backUp("other")
    #expect(first == second)
    #expect(second.differences(from: first).isEmpty)
    #expect(first.bytes == 15)
    #expect(first.files == ["Documents/a.txt", "Library/b"])
    try Data(count: 11).write(to: container.documents.appendingPathComponent("a.txt"))
    #expect(try container.backUp() != first)
  }

  @Test func `differences describe the change of each item`() throws {
    let first = try container.backUp()
    try container.library.appendingPathComponent("b").excludeFromBackup()
    try Data(count: 11).write(to: container.documents.appendingPathComponent("a.txt"))
    try Data(count: 1).write(to: container.documents.appendingPathComponent("c"))
    let second = try container.backUp()
    #expect(
      second.differences(from: first).map(\.description) == [
        "Documents/a.txt: included, 10 bytes → included, 11 bytes",
        "Documents/c: missing → included, 1 byte",
        "Library/b: included, 5 bytes → excluded, own mark",
      ])
    #expect(
      first.differences(from: second).map(\.testDescription).contains(
        "Documents/c: included, 1 byte → missing"))
  }

  @Test func `a backup prints each file, and each item left out with the reason`() throws {
    try container.library.appendingPathComponent("b").excludeFromBackup()
    let backup = try container.backUp()
    #expect(
      backup.description.hasPrefix(
        "backup of 1 file, 10 bytes:\n  in   Documents/a.txt  10 bytes\n"))
    #expect(backup.description.contains("\n  out  Library/b  (own mark)"))
    #expect(backup.testDescription == backup.description)
  }

  @Test func `an invalid path is an issue at the call`() async throws {
    let backup = try container.backUp()
    #expect(backup.contains("Documents/a.txt") && !backup.contains("Documents/none"))
    let line = #line + 2
    let issues = await TestIssue.collecting {
      #expect(!backup.contains("/Documents/a.txt"))
    }
    #expect(issues.map(\.sourceLocation.line) == [line])
    #expect(issues.first?.text.contains("the path ") == true)
  }
}
