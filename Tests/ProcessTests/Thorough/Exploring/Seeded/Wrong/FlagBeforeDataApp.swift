#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that creates the flag `made` before it saves its library. If the flag exists, the launch
/// reads the library without a check.
enum FlagBeforeDataApp: AppUnderTest {
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
