import BackupTesting
import Foundation
import Testing

@testable import ClashApp

/// The app and its tests both contain the shim, and the tests import the app's shim with
/// `@testable`. No call is ambiguous.
///
/// These tests also compile the kit's default arguments. A default argument crashes the compiler if
/// it names a declaration that the shim redirects.
@Suite struct ShimClashTests {
  @Test func `the app's type Backup does not clash with the container's backup`() throws {
    let container = try FakeContainer()
    try Backup(events: []).write(to: container.documents.appending(path: Backup.fileName))
    #expect(try container.backUp().contains("Documents/races.json"))
    let restore = try Restore(from: container.documents.appending(path: Backup.fileName))
    #expect(restore.backup.events.isEmpty)
  }

  @Test(.container) func `the shim redirects directories to the test's container`() throws {
    let container = try FakeContainer.current
    #if os(Linux)
    #expect(FileManager.default.temporaryDirectory == container.temporary)
    #expect(URL.documentsDirectory == container.documents)
    #endif
    #expect(try container.findings().isEmpty)
  }
}
