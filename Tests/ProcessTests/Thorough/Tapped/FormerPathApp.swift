#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that stores the absolute path of a picture. It can look for the picture with many calls.
enum FormerPathApp: AppUnderTest {
  /// Looks for an item, and ignores any error.
  typealias Look = @Sendable (URL) -> Void

  /// The looks by the name of their call.
  static let looks: [String: Look] = [
    "fileExists": { _ = FileManager.default.fileExists(atPath: $0.path) },
    "isReadableFile": { _ = FileManager.default.isReadableFile(atPath: $0.path) },
    "data": { _ = try? Data(contentsOf: $0) },
    "handle": { _ = FileHandle(forReadingAtPath: $0.path) },
    "attributes": { _ = try? FileManager.default.attributesOfItem(atPath: $0.path) },
    "resourceValues": { _ = try? $0.resourceValues(forKeys: [.fileSizeKey]) },
    "reachable": { _ = try? $0.checkResourceIsReachable() },
    "directory": { _ = try? FileManager.default.contentsOfDirectory(atPath: $0.path) },
    "enumerator": { _ = FileManager.default.enumerator(atPath: $0.path)?.nextObject() },
    "subpaths": { _ = FileManager.default.subpaths(atPath: $0.path) },
    "remove": { try? FileManager.default.removeItem(at: $0) },
    "fopen": { if let stream = fopen($0.path, "r") { fclose(stream) } },
    "access": { _ = access($0.path, F_OK) },
    "open": { _ = open($0.path, O_RDONLY) },
    "opendir": { if let directory = opendir($0.path) { closedir(directory) } },
    "stat": { url in
      var status = stat()
      _ = stat(url.path, &status)
    },
  ]

  static let actions: AppActions = [
    "import": { action in
      let picture = action.container.documents.file("picture.png")
      try Data("PNG".utf8).write(to: picture, options: .atomic)
      try Data(picture.path.utf8).write(to: action.container.documents.file("latest"))
    },
    "look": { action in
      let way: String = try action.argument("by")
      looks[way]?(try storedURL(action))
    },
    // If the stored path is outdated, looks in Documents for a file with the same name.
    "repair": { action in
      let old = try storedURL(action)
      guard !FileManager.default.fileExists(atPath: old.path) else { return }
      let new = action.container.documents.file(old.lastPathComponent)
      guard FileManager.default.fileExists(atPath: new.path) else {
        throw CocoaError(.fileNoSuchFile)
      }
      try Data(new.path.utf8).write(to: action.container.documents.file("latest"))
    },
    "link": { action in
      let documents = action.container.documents
      try FileManager.default.createSymbolicLink(
        at: documents.file("link"), withDestinationURL: documents.file("picture.png"))
    },
    "followLink": { action in
      _ = FileManager.default.contents(atPath: action.container.documents.file("link").path)
    },
    "lookInside": { action in
      for name in ["picture.png", "none"] {
        let url = action.container.documents.file(name)
        _ = FileManager.default.fileExists(atPath: url.path)
        _ = try? Data(contentsOf: url)
      }
    },
  ]

  private static func storedURL(_ action: ActionCall) throws -> URL {
    let latest = action.container.documents.file("latest")
    return URL(fileURLWithPath: try String(contentsOf: latest, encoding: .utf8), isDirectory: false)
  }
}
#endif
