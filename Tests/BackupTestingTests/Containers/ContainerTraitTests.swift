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
}
