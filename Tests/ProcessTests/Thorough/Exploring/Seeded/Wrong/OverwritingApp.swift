#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that overwrites the user's drawing in place, in two writes. The size of the file stays
/// the same.
enum OverwritingApp: AppUnderTest {
  static let actions: AppActions = [
    "draw": { action in
      let color: Int = try action.argument("color")
      let drawing = action.container.documents.file("drawing")
      let half = Data(repeating: UInt8(color), count: 400)
      guard drawing.isThere else { return try (half + half).write(to: drawing, options: .atomic) }
      let file = try FileHandle(forWritingTo: drawing)
      try file.write(contentsOf: half)
      try file.write(contentsOf: half)
      try file.close()
    }
  ]
}
#endif
