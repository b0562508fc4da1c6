import Foundation
import ShimmedApp
import Testing

/// The mark under an iOS version before 5.1, which does not have it.
///
/// A file beside the container, the sign, tells the shim that the device has such a version.
@Suite struct UnavailableMarkTests {
  /// Runs code with the sign, and with a file in the container.
  private func withSign(_ body: (_ file: URL, _ device: URL) throws -> Void) async throws {
    try await TestContainer.run { root in
      let device = root.deletingLastPathComponent()
      try Data().write(to: device.appendingPathComponent("no-resource-value"))
      let file = root.appendingPathComponent("Documents/a.txt")
      try Data("a".utf8).write(to: file)
      try body(file, device)
    }
  }

  /// Returns the paths that the shim has noted for the kit.
  private func notes(in device: URL) -> [String] {
    let data = try? Data(contentsOf: device.appendingPathComponent("marks-unavailable"))
    return (data ?? Data()).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: BackupExclusion.allCases)
  func `Setting it fails with an error that an app can catch, and is noted for the kit`(
    _ way: BackupExclusion
  ) async throws {
    try await withSign { file, device in
      let error = #expect(throws: CocoaError.self) { try way.set(true, on: file) }
      #expect(error?.code == .featureUnsupported)
      #expect(error?.userInfo[NSFilePathErrorKey] as? String == file.path)
      #expect(!file.hasMark)
      #expect(notes(in: device) == [file.path])
    }
  }

  @Test(arguments: BackupExclusion.allCases)
  func `Clearing it fails, and is not noted`(_ way: BackupExclusion) async throws {
    try await withSign { file, device in
      #expect(throws: CocoaError.self) { try way.set(false, on: file) }
      #expect(notes(in: device) == [])
    }
  }

  @Test func `Without the sign it can be set again`() async throws {
    try await withSign { file, device in
      try FileManager.default.removeItem(at: device.appendingPathComponent("no-resource-value"))
      try BackupExclusion.url.set(true, on: file)
      #expect(file.hasMark)
    }
  }
}
