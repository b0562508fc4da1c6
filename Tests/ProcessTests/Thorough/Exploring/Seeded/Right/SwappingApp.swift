#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that saves a new library beside the old one, and then swaps the two by renaming them. If
/// the library is missing, the launch renames the old one back.
enum SwappingApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    let (library, old, new) = folders(launch.container)
    let files = FileManager.default
    if !library.isThere, old.isThere { try files.moveItem(at: old, to: library) }
    for remnant in [old, new] where remnant.isThere { try files.removeItem(at: remnant) }
  }

  private static func folders(_ container: FakeContainer.Locations) -> (URL, old: URL, new: URL) {
    let documents = container.documents
    return (documents.folder("Library"), documents.folder("Old"), documents.folder("New"))
  }

  static let actions: AppActions = [
    "save": { action in
      let (library, old, new) = folders(action.container)
      try new.makeFolder()
      let text: String = try action.argument("text")
      for name in ["1.txt", "2.txt"] {
        try Data("\(text) \(name)".utf8).write(to: new.file(name), options: .atomic)
      }
      if library.isThere { try FileManager.default.moveItem(at: library, to: old) }
      try FileManager.default.moveItem(at: new, to: library)
      if old.isThere { try FileManager.default.removeItem(at: old) }
    }
  ]
}
#endif
