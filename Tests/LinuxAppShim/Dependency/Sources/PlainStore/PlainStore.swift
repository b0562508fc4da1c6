import Foundation

/// Saves files where Foundation says that they belong: by what Linux declares, as a dependency that
/// is built for both does.
public enum PlainStore {
  /// What Foundation answers, by the text of the question.
  ///
  /// - Returns: Paths, and the app's identifier.
  /// - Throws: Whatever Foundation throws.
  public static func answers() throws -> [String: String] {
    let manager = FileManager.default
    let library = manager.urls(for: .libraryDirectory, in: .userDomainMask)
    return [
      "NSHomeDirectory": NSHomeDirectory(),
      "NSTemporaryDirectory": NSTemporaryDirectory(),
      "temporaryDirectory": manager.temporaryDirectory.path,
      "homeDirectoryForCurrentUser": manager.homeDirectoryForCurrentUser.path,
      "URL.homeDirectory": URL.homeDirectory.path,
      "URL.temporaryDirectory": URL.temporaryDirectory.path,
      "urls library": library.first?.path ?? "",
      "urls movies": manager.urls(for: .moviesDirectory, in: .userDomainMask).first?.path ?? "",
      "search documents":
        NSSearchPathForDirectoriesInDomains(.documentDirectory, .userDomainMask, true)[0],
      "url caches": try manager.url(
        for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: false
      ).path,
      "bundle": Bundle.main.bundleIdentifier ?? "nil",
    ]
  }

  /// Saves a file and marks it, copies it, and replaces the copy.
  ///
  /// - Returns: The file, its copy, and what was replaced.
  /// - Throws: Whatever Foundation throws.
  public static func save() throws -> [URL] {
    let manager = FileManager.default
    let folder = try manager.url(
      for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
    let files = ["saved", "copied", "replaced"].map(folder.appendingPathComponent)
    for file in [files[0], files[2]] {
      try Data("old".utf8).write(to: file)
      try BackupExclusion.url.set(true, on: file)
    }
    try manager.copyItem(at: files[0], to: files[1])
    let new = try manager.url(
      for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: files[2], create: true
    ).appendingPathComponent("new")
    try Data("new".utf8).write(to: new)
    _ = try manager.replaceItemAt(files[2], withItemAt: new)
    return files
  }
}
