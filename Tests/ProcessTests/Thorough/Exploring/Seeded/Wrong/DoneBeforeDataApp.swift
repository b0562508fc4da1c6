#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that notes that its library is made before it makes it, and believes that at its start.
enum DoneBeforeDataApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    guard launch.container.documents.file("made").isThere else { return }
    _ = try Data(contentsOf: launch.container.documents.file("library.json"))
  }

  static let actions: AppActions = [
    "makeLibrary": { action in
      try Data().write(to: action.container.documents.file("made"))
      try Data("[]".utf8).write(
        to: action.container.documents.file("library.json"), options: .atomic)
    }
  ]
}
#endif
