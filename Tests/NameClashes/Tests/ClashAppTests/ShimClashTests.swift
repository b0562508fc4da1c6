import BackupTesting
import Foundation
import Testing

@testable import ClashApp

/// Where the app and its tests both hold the shim, and the tests see the app's, each call is clear.
///
/// The kit's default arguments are compiled here too: one that names what the shim redirects is
/// ambiguous, and crashes the compiler.
@Suite struct ShimClashTests {
  @Test func `a container takes an app's Backup`() throws {
    let container = try FakeContainer()
    try Backup(events: []).write(to: container.documents.appending(path: Backup.fileName))
    #expect(try container.backUp().contains("Documents/races.json"))
    let restore = try Restore(from: container.documents.appending(path: Backup.fileName))
    #expect(restore.backup.events.isEmpty)
  }

  @Test(.container) func `the app's folder and the test's are the container's`() throws {
    let container = try FakeContainer.current
    #if os(Linux)
    #expect(FileManager.default.temporaryDirectory == container.temporary)
    #expect(URL.documentsDirectory == container.documents)
    #endif
    #expect(try container.findings().isEmpty)
  }
}
