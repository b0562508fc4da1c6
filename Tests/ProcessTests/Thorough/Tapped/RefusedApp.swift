#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that saves right in its container and in Documents/Inbox, in every way.
enum RefusedApp: AppUnderTest {
  /// A way to make an item.
  typealias Making = @Sendable (URL) throws -> Void

  /// An error of the app's own, which says nothing of a file.
  struct SaveError: Error {}

  private static var manager: FileManager { .default }

  /// A file that can be copied or moved.
  private static func source(beside url: URL) throws -> URL {
    let file = manager.temporaryDirectory.file("source")
    try Data([1]).write(to: file)
    return file
  }

  private static func require(_ isDone: Bool) throws {
    if !isDone { throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }
  }

  static let ways: [String: Making] = [
    "write": { try Data([1]).write(to: $0) },
    "writeAtomically": { try Data([1]).write(to: $0, options: .atomic) },
    "string": { try "text".write(to: $0, atomically: true, encoding: .utf8) },
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
    "copy": { try manager.copyItem(at: source(beside: $0), to: $0) },
    "move": { try manager.moveItem(at: source(beside: $0), to: $0) },
    "symbolicLink": {
      try manager.createSymbolicLink(at: $0, withDestinationURL: source(beside: $0))
    },
    "link": { try manager.linkItem(at: source(beside: $0), to: $0) },
    "open": { try require(open($0.path, O_CREAT | O_WRONLY, 0o600) >= 0) },
    "fopen": { try require(fopen($0.path, "w") != nil) },
    "mkstemp": { url in
      var template = Array((url.path + "XXXXXX").utf8CString)
      try require(mkstemp(&template) >= 0)
    },
  ]

  /// Where the item is to be.
  private static func place(_ action: ActionCall) throws -> URL {
    let place: String = try action.argument("at")
    return action.container.url.appendingPathComponent(place)
  }

  private static func make(_ action: ActionCall) throws {
    let way: String = try action.argument("by")
    try ways[way]?(place(action))
  }

  static let actions: AppActions = [
    "make": { try make($0) },
    "makeSilently": { try? make($0) },
    // Goes elsewhere where it is refused, as the error says.
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
    "write": { action in
      try Data([1]).write(to: try place(action))
    },
    "append": { action in
      let handle = try FileHandle(forWritingTo: try place(action))
      try handle.write(contentsOf: [1])
      try handle.close()
    },
    "take": { action in
      let file = try place(action)
      _ = try Data(contentsOf: file)
      try manager.moveItem(at: file, to: action.container.documents.file("taken"))
    },
  ]
}
#endif
