#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that creates an item anywhere in its container, with one of many calls.
enum RefusedApp: AppUnderTest {
  /// Creates an item.
  typealias Creation = @Sendable (URL) throws -> Void

  /// An error that does not name a file.
  struct SaveError: Error {}

  private static var manager: FileManager { .default }

  /// Creates a temporary file to copy or move.
  private static func source(for url: URL) throws -> URL {
    let file = manager.temporaryDirectory.file("source")
    try Data([1]).write(to: file)
    return file
  }

  /// Throws the error of the failed call unless `isDone` is true.
  private static func require(_ isDone: Bool) throws {
    if !isDone { throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }
  }

  /// The ways to create an item, by the name of the call.
  static let ways: [String: Creation] = [
    "write": { try Data([1]).write(to: $0) },
    "writeAtomically": { try Data([1]).write(to: $0, options: .atomic) },
    "createDirectory": {
      try manager.createDirectory(at: $0, withIntermediateDirectories: true)
    },
    "createInDirectory": {
      try manager.createDirectory(at: $0.folder("inner"), withIntermediateDirectories: true)
    },
    "writeInDirectory": { url in
      try manager.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data([1]).write(to: url)
    },
    "createFile": { try require(manager.createFile(atPath: $0.path, contents: nil)) },
    "copy": { try manager.copyItem(at: source(for: $0), to: $0) },
    "move": { try manager.moveItem(at: source(for: $0), to: $0) },
    "symbolicLink": {
      try manager.createSymbolicLink(at: $0, withDestinationURL: source(for: $0))
    },
    "link": { try manager.linkItem(at: source(for: $0), to: $0) },
    "open": { try require(open($0.path, O_CREAT | O_WRONLY, 0o600) >= 0) },
    "fopen": { try require(fopen($0.path, "w") != nil) },
    "mkstemp": { url in
      var template = Array((url.path + "XXXXXX").utf8CString)
      try require(mkstemp(&template) >= 0)
    },
  ]

  /// The location of the item.
  private static func location(_ action: ActionCall) throws -> URL {
    let path: String = try action.argument("at")
    return action.container.url.appendingPathComponent(path)
  }

  private static func make(_ action: ActionCall) throws {
    let way: String = try action.argument("by")
    try ways[way]?(location(action))
  }

  static let actions: AppActions = [
    "make": { try make($0) },
    "makeSilently": { try? make($0) },
    // Saves in Documents if an error says that the device refuses the item.
    "makeSomewhere": { action in
      do {
        try make(action)
      } catch CocoaError.fileWriteNoPermission {
        try Data([1]).write(to: action.container.documents.file("instead"))
      }
    },
    "makeWithOwnError": { action in
      do { try make(action) } catch { throw SaveError() }
    },
    "append": { action in
      let handle = try FileHandle(forWritingTo: try location(action))
      try handle.write(contentsOf: [1])
      try handle.close()
    },
    "take": { action in
      let file = try location(action)
      _ = try Data(contentsOf: file)
      try manager.moveItem(at: file, to: action.container.documents.file("taken"))
    },
  ]
}
#endif
