#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app whose version 2.0 saves the flag `v` before it moves its note. If the flag exists, the
/// next launch removes the old note as a remnant.
enum FlagFirstApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let documents = launch.container.documents
    let (old, new, flag) = (
      documents.file("old.txt"), documents.file("new.txt"), documents.file("v")
    )
    guard launch.appVersion != "1.0" else { return }
    let isMoved = flag.isThere
    try Data("2".utf8).write(to: flag, options: .atomic)
    if isMoved {
      try? FileManager.default.removeItem(at: old)
    } else if old.isThere {
      try FileManager.default.moveItem(at: old, to: new)
    }
  }

  static let actions: AppActions = [
    "write": { action in
      let documents = action.container.documents
      let file = documents.file(action.appVersion == "1.0" ? "old.txt" : "new.txt")
      try Data("A year of days".utf8).write(to: file, options: .atomic)
    }
  ]
}
#endif
