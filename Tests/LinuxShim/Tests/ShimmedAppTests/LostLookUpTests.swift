import BackupTesting
import Foundation
import ShimmedApp
import Testing

/// What the kit is told of look-ups on threads that have no container.
@Suite struct LostLookUpTests {
  @Test func `A detached task's calls are named`() async throws {
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
  func `A mark on an item in a container is set, read and copied by a thread that has none`(
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

  @Test func `What names no container is not told of`() async throws {
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
