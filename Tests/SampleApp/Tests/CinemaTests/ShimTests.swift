import BackupTesting
import Cinema
import Foundation
import Testing

/// The kit sees how the app's code sets and clears marks. On Linux, this needs the shim.
@Suite(.container) struct ShimTests {
  private let container: FakeContainer
  private let file: URL

  init() throws {
    container = try FakeContainer.current
    file = container.documents.appending(path: "file")
  }

  #if os(Linux)
  @Test func `The app's own directories are those of the container`() {
    #expect(AppDirectories.standard == AppDirectories(home: container.url))
  }

  @Test func `A mark on a missing item is found, although the code hides the error`() async throws {
    try await container.perform { try? file.setExcluded(fromBackup: true) }
    #expect(try container.findings().map(\.rule) == ["exists-before-set"])
  }

  @Test func `A mark that the app clears stays cleared`() async throws {
    try await container.perform {
      try Data("text".utf8).write(to: file)
      try file.setExcluded(fromBackup: true)
    }
    #expect(try !container.backUp().contains("Documents/file"))
    try await container.perform { try file.setExcluded(fromBackup: false) }
    #expect(try container.backUp().contains("Documents/file"))
    #expect(try container.findings().isEmpty)
  }
  #endif

  @Test func `A mark stays if the app does not change it`() async throws {
    try Data("text".utf8).write(to: file)
    try file.setExcluded(fromBackup: true)
    try await container.perform { _ = try Data(contentsOf: file) }
    #expect(try !container.backUp().contains("Documents/file"))
    #expect(try container.findings().isEmpty)
  }
}
