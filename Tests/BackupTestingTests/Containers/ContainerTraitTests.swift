import BackupTesting
import Foundation
import Testing

@testable import BackupContainer
@testable import BackupDevice
@testable import BackupFileTree
@testable import BackupRules
@testable import BackupScenarios

/// Tests without scenario files get a container, and make iOS act with plain calls.
@Suite(
  .container(files: [
    "Documents/**": .critical, "Library/Caches/**": .cached, "Library/**": .offline,
  ]))
struct ContainerTraitTests {
  @Test func `a document is backed up`() throws {
    let container = try FakeContainer.current
    try Data("hi".utf8).write(to: container.documents.appendingPathComponent("a.txt"))
    let backup = try container.backUp()
    #expect(backup.contains("Documents/a.txt"))
    #expect(backup.files == ["Documents/a.txt"])
    #expect(try container.findings().isEmpty)
  }

  @Test func `restored files have their contents, and nothing else exists`() throws {
    let container = try FakeContainer.current
    try Data("hi".utf8).write(to: container.documents.appendingPathComponent("a.txt"))
    try Data("art".utf8).write(to: container.caches.appendingPathComponent("art.png"))
    let before = container.url
    let backup = try container.backUp()
    try container.restore(from: backup)
    #expect(container.url != before)
    let text = try String(
      contentsOf: container.documents.appendingPathComponent("a.txt"), encoding: .utf8)
    #expect(text == "hi")
    #expect(!FileManager.default.fileExists(atPath: container.caches.path + "/art.png"))
  }

  @Test func `code run as an action is probed`() async throws {
    let container = try FakeContainer.current
    let movie = container.library.appendingPathComponent("1.mp4")
    try await container.perform("download") {
      try Data(count: 10).write(to: movie)
      try movie.excludeFromBackup()
    }
    try await container.perform("download again") {
      let handle = try FileHandle(forWritingTo: movie)
      try handle.write(contentsOf: Data(count: 20))
    }
    try container.backUp()
    let findings = try container.findings()
    #expect(findings.map(\.rule) == ["reapply-on-save"])
    #expect(findings.first?.step.summary == "download again")
  }

  @Test func `findings are issues at their lines`() async throws {
    let container = try FakeContainer.current
    try container.backUp()
    let line = #line - 1
    try? container.documents.appendingPathComponent("none").excludeFromBackup()
    let issues = try await TestIssue.collecting { try container.expectNoFindings() }
    #expect(issues.map(\.sourceLocation.line) == [line])
    #expect(issues.first?.text.contains("exists-before-set") == true)
  }

  @Test func `patterns that the system never purges are refused`() throws {
    let container = try FakeContainer.current
    #expect(throws: RunError.self) {
      try container.purge(.files([PathPattern("Documents/**")]))
    }
  }

  @Test func `files to purge are named by texts`() throws {
    let container = try FakeContainer.current
    for name in ["a.png", "a.txt"] {
      try Data(count: 1).write(to: container.caches.appendingPathComponent(name))
    }
    let purged = try container.purge(.files(["Library/Caches/*.png"]))
    #expect(purged.map(\.path.description) == ["Library/Caches/a.png"])
    let error = #expect(throws: RunError.self) { try container.purge(.files(["/Library/Caches"])) }
    #expect(error?.code == .invalidPath)
    #expect(error?.description.hasPrefix("the pattern '/Library/Caches' is absolute") == true)
  }

  @Test func `an item is explained`() throws {
    let container = try FakeContainer.current
    let movie = container.library.appendingPathComponent("1.mp4")
    try Data(count: 10).write(to: movie)
    try movie.excludeFromBackup()
    #expect(try container.explain("Library/1.mp4").contains("own mark"))
    #expect(try container.explain("Library/2.mp4").contains("missing"))
  }
}
