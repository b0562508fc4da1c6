#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that keeps its score twice in one file, each with a checksum, and overwrites the older of both in place.
enum TwoSlotsApp: AppUnderTest {
  private static let size = 512

  private static func file(in container: FakeContainer.Locations) -> URL {
    container.documents.appendingPathComponent("score")
  }

  /// The number and text of each slot whose checksum is right.
  private static func slots(_ data: Data) -> [(number: UInt8, text: Data)?] {
    [0, size].map { start in
      let slot = Data(data.dropFirst(start).prefix(size))
      guard slot.count == size, slot[0] > 0, slot[1] == sum(slot.dropFirst(2)) else { return nil }
      return (slot[0], slot.dropFirst(2))
    }
  }

  private static func sum(_ bytes: Data) -> UInt8 { bytes.reduce(7) { $0 &* 31 &+ $1 } }

  static func check(_ launch: AppLaunch) async throws {
    guard let data = try? Data(contentsOf: file(in: launch.container)) else { return }
    if slots(data).allSatisfy({ $0 == nil }) { throw CocoaError(.fileReadCorruptFile) }
  }

  static let actions: AppActions = [
    "save": { action in
      let file = file(in: action.container)
      var data = (try? Data(contentsOf: file)) ?? Data()
      let known = slots(data).map { $0?.number ?? 0 }
      let text = Data("Score \(known.max() ?? 0)".utf8) + Data(count: size - 2 - 7)
      let slot = Data([(known.max() ?? 0) + 1, sum(text)]) + text
      guard !data.isEmpty else {
        return try (slot + Data(count: size)).write(to: file, options: .atomic)
      }
      let handle = try FileHandle(forUpdating: file)
      try handle.seek(toOffset: known[0] <= known[1] ? 0 : UInt64(size))
      try handle.write(contentsOf: slot.prefix(2))
      try handle.write(contentsOf: slot.dropFirst(2))
      try handle.close()
    }
  ]
}
#endif
