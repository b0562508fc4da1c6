import CBackupFiles
import Foundation
import Testing

@testable import BackupContainer

/// What is known of marks that Foundation sets.
@Suite struct FoundationMarksTests {
  @Test
  func `without a shim they are stored where the platform does, and the trial leaves nothing`()
    throws
  {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(FoundationMarks.tryOut(in: folder) == (cea_foundation_stores_marks() != 0))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    #expect(FoundationMarks.appShim == .absent)
  }

  @Test func `where no folder can be made none is stored`() {
    #expect(!FoundationMarks.tryOut(in: URL(fileURLWithPath: "/nowhere/at/all")))
  }
}
