import BackupTesting
import Foundation
import PlainStore
import Testing

/// The kit beside LinuxAppShim, with the app's code in the process of the test.
@Suite struct KitTests {
  @Test(.container(bundleIdentifier: "com.example.plain"))
  func `A task's questions are answered with places in its container`() async throws {
    let container = try #require(FakeContainer.current)
    let answers = try PlainStore.answers()
    #expect(answers["urls library"] == container.library.path)
    #expect(answers["NSHomeDirectory"] == container.url.path)
    #expect(answers["bundle"] == "com.example.plain")
  }

  @Test(.container(files: ["Library/Application Support/*": .offline]))
  func `The mark of a module without a file is seen, and a lost one is found`() async throws {
    let container = try #require(FakeContainer.current)
    try await container.perform("save") { _ = try PlainStore.save() }
    let backup = try container.backUp("night")
    #expect(backup.files == ["Library/Application Support/replaced"])
    let findings = try container.findings
    #expect(!findings.isEmpty)
    #expect(!findings.contains { "\($0)".contains("linux-shim") })
  }

  @Test(.container(files: ["Library/Application Support/*": .offline]))
  func `Where every file is marked nothing is found`() async throws {
    let container = try #require(FakeContainer.current)
    try await container.perform("save") {
      for file in try PlainStore.save() { try BackupExclusion.url.set(true, on: file) }
    }
    #expect(try container.backUp("night").files.isEmpty)
    try container.expectNoFindings()
  }
}
