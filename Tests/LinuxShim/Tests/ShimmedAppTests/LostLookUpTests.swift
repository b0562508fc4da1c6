import BackupTesting
import Foundation
import ShimmedApp
import Testing

/// The shim reports to the kit a look-up on a thread that has no container.
@Suite struct LostLookUpTests {
  @Test func `The calls of a detached task are reported by name`() async throws {
    try await TestContainer.run { _ in
      _ = try await Task.detached { try StandardDirectories.answers() }.value
    }
    let calls = Set(CurrentContainer.lostCalls)
    for call in [
      "NSHomeDirectory()", "NSTemporaryDirectory()", "FileManager.temporaryDirectory",
      "URL.homeDirectory", "URL.temporaryDirectory", "URL.documentsDirectory",
      "URL.applicationSupportDirectory", "FileManager.urls(for: .libraryDirectory, in:)",
      "FileManager.url(for: .cachesDirectory, in:)",
      "NSSearchPathForDirectoriesInDomains(.documentDirectory, …)",
    ] {
      #expect(calls.contains(call), "\(call)")
    }
  }

  @Test(arguments: BackupExclusion.allCases)
  func `A thread without a container can set, read and copy a mark on an item in a container`(
    _ way: BackupExclusion
  ) async throws {
    try await TestContainer.run { root in
      let file = root.appendingPathComponent("Documents/\(way)")
      let copy = root.appendingPathComponent("Documents/copy")
      try Data().write(to: file)
      let thread = Task.detached {
        try way.set(true, on: file)
        try DownloadStore().copy(file, to: copy, usesPaths: false)
        return try way.isSet(on: copy)
      }
      #expect(try await thread.value == true)
      #expect(file.hasMark && copy.hasMark)
    }
  }

  @Test func `A call on an item outside of any container is not reported`() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    await Task.detached {
      for way in BackupExclusion.allCases { try? way.set(true, on: file) }
      _ = StandardDirectories.localDirectories()
    }.value
    #expect(!CurrentContainer.lostCalls.contains { $0.contains(file.path) })
    #expect(!CurrentContainer.lostCalls.contains { $0.contains("applicationSupportDirectory,") })
  }
}
