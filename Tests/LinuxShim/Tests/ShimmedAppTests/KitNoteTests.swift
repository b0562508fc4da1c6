import Foundation
import ShimmedApp
import Testing

/// The shim tells the kit about calls that leave no trace in the container.
@Suite struct KitNoteTests {
  /// The attribute that the kit sets on an item while it hides the item's mark.
  private static let probe = "user.swift-backup-testing.probe"

  /// Returns the paths that the shim has noted for the kit, in a file beside the container.
  private func notes(beside root: URL) -> [String] {
    let file = root.deletingLastPathComponent().appendingPathComponent("marks-on-missing-items")
    let data = (try? Data(contentsOf: file)) ?? Data()
    return data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: BackupExclusion.allCases)
  func `A mark on a missing item is noted beside the container`(
    _ way: BackupExclusion
  ) async throws {
    try await TestContainer.run { root in
      let documents = root.appendingPathComponent("Documents")
      try Data().write(to: documents.appendingPathComponent("file"))
      let missing = ["a", "b", "file/c"].map(documents.appendingPathComponent)
      for item in missing { try? way.set(true, on: item) }
      #expect(notes(beside: root) == missing.map(\.path))
    }
  }

  @Test(arguments: BackupExclusion.allCases)
  func `A mark on an existing item is not noted, and a cleared mark is not noted`(
    _ way: BackupExclusion
  ) async throws {
    try await TestContainer.run { root in
      try way.set(true, on: root.appendingPathComponent("Documents"))
      try? way.set(false, on: root.appendingPathComponent("Documents/missing"))
      #expect(notes(beside: root) == [])
    }
  }

  @Test(arguments: BackupExclusion.allCases)
  func `Clearing a mark removes the kit's probe, and setting a mark keeps it`(
    _ way: BackupExclusion
  ) async throws {
    try await TestContainer.run { root in
      let file = root.appendingPathComponent("Documents/a")
      try Data().write(to: file)
      file.setAttribute(Self.probe)
      try way.set(true, on: file)
      #expect(file.hasAttribute(Self.probe))
      try way.set(false, on: file)
      #expect(!file.hasAttribute(Self.probe))
    }
  }
}
