#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app whose version 2.0 saves the user's drawing in a longer format, with two bytes for each
/// byte.
enum LengtheningApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let drawing = launch.container.documents.file("drawing.bin")
    guard launch.appVersion != "1.0", drawing.isThere else { return }
    let bytes = try Data(contentsOf: drawing)
    guard bytes.first == 1 else { return }
    try Data([2] + bytes.dropFirst().flatMap { [0, $0] }).write(to: drawing, options: .atomic)
  }

  static let actions: AppActions = [
    "draw": { action in
      try Data([1, 7, 200, 9, 255]).write(
        to: action.container.documents.file("drawing.bin"), options: .atomic)
    },
    "look": { action in
      _ = try Data(contentsOf: action.container.documents.file("drawing.bin"))
    },
  ]
}
#endif
