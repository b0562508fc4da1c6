#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that keeps the two latest scores in one file, each in a slot with a checksum. A save
/// overwrites the older slot in place.
enum TwoSlotsApp: AppUnderTest {
  /// The size of a slot in bytes.
  private static let slotSize = 512

  private static func file(in container: FakeContainer.Locations) -> URL {
    container.documents.appendingPathComponent("score")
  }

  /// The number and the text of each slot; nil if the checksum is wrong.
  private static func slots(_ data: Data) -> [(number: UInt8, text: Data)?] {
    [0, slotSize].map { start in
      let slot = Data(data.dropFirst(start).prefix(slotSize))
      guard slot.count == slotSize, slot[0] > 0, slot[1] == checksum(slot.dropFirst(2)) else {
        return nil
      }
      return (slot[0], slot.dropFirst(2))
    }
  }

  private static func checksum(_ bytes: Data) -> UInt8 { bytes.reduce(7) { $0 &* 31 &+ $1 } }

  static func check(_ launch: AppLaunch) async throws {
    guard let data = try? Data(contentsOf: file(in: launch.container)) else { return }
    if slots(data).allSatisfy({ $0 == nil }) { throw CocoaError(.fileReadCorruptFile) }
  }

  static let actions: AppActions = [
    "save": { action in
      let file = file(in: action.container)
      var data = (try? Data(contentsOf: file)) ?? Data()
      let numbers = slots(data).map { $0?.number ?? 0 }
      let text = Data("Score \(numbers.max() ?? 0)".utf8) + Data(count: slotSize - 2 - 7)
      let slot = Data([(numbers.max() ?? 0) + 1, checksum(text)]) + text
      guard !data.isEmpty else {
        return try (slot + Data(count: slotSize)).write(to: file, options: .atomic)
      }
      let handle = try FileHandle(forUpdating: file)
      try handle.seek(toOffset: numbers[0] <= numbers[1] ? 0 : UInt64(slotSize))
      try handle.write(contentsOf: slot.prefix(2))
      try handle.write(contentsOf: slot.dropFirst(2))
      try handle.close()
    }
  ]
}
#endif
