import Foundation

/// All ways in which an app's code asks Foundation for the standard directories.
public enum StandardDirectories {
  /// Calls Foundation in all ways.
  ///
  /// - Returns: The paths that Foundation returns, by the names of the calls. The paths of URLs
  ///   have no slash at the end.
  /// - Throws: Whatever Foundation throws.
  public static func answers() throws -> [String: String] {
    let manager = FileManager.default
    return [
      "NSHomeDirectory": NSHomeDirectory(),
      "NSTemporaryDirectory": NSTemporaryDirectory(),
      "temporaryDirectory": manager.temporaryDirectory.path,
      "URL.homeDirectory": URL.homeDirectory.path,
      "URL.temporaryDirectory": URL.temporaryDirectory.path,
      "URL.documentsDirectory": URL.documentsDirectory.path,
      "URL.libraryDirectory": URL.libraryDirectory.path,
      "URL.cachesDirectory": URL.cachesDirectory.path,
      "URL.applicationSupportDirectory": URL.applicationSupportDirectory.path,
      "URL.desktopDirectory": URL.desktopDirectory.path,
      "URL.downloadsDirectory": URL.downloadsDirectory.path,
      "URL.moviesDirectory": URL.moviesDirectory.path,
      "URL.musicDirectory": URL.musicDirectory.path,
      "URL.picturesDirectory": URL.picturesDirectory.path,
      "URL.sharedPublicDirectory": URL.sharedPublicDirectory.path,
      "URL.trashDirectory": URL.trashDirectory.path,
      "search documents": search(.documentDirectory),
      "search caches": search(.cachesDirectory),
      "urls documents": manager.urls(for: .documentDirectory, in: .userDomainMask)[0].path,
      "urls library": manager.urls(for: .libraryDirectory, in: .userDomainMask).first?.path ?? "",
      "url caches": try manager.url(
        for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: false
      ).path,
      "URL(for:)": try URL(for: .documentDirectory, in: .userDomainMask).path,
    ]
  }

  /// Asks for a folder in which to prepare the replacement of an item.
  ///
  /// - Parameter item: The item.
  /// - Returns: A new folder.
  /// - Throws: Whatever Foundation throws.
  public static func replacementFolder(for item: URL) throws -> URL {
    try FileManager.default.url(
      for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: item, create: false)
  }

  /// Asks for a directory of the whole machine, which is outside of any container.
  ///
  /// - Returns: Foundation's answer.
  public static func localDirectories() -> [URL] {
    FileManager.default.urls(for: .applicationSupportDirectory, in: .localDomainMask)
  }

  /// Asks for a directory in all domains at once.
  ///
  /// - Returns: Foundation's answers, as URLs and as paths.
  public static func everywhere() -> (urls: [URL], paths: [String]) {
    let urls = FileManager.default.urls(for: .cachesDirectory, in: .allDomainsMask)
    return (urls, NSSearchPathForDirectoriesInDomains(.cachesDirectory, .allDomainsMask, true))
  }

  /// Asks for the home directory in a detached task, which does not inherit task-local values.
  ///
  /// - Returns: Foundation's answer.
  public static func detachedHome() async -> String {
    await Task.detached { NSHomeDirectory() }.value
  }

  /// Asks for the home directory in a child task and in an unstructured task.
  ///
  /// - Returns: Both answers.
  public static func childHomes() async -> [String] {
    async let child = NSHomeDirectory()
    let unstructured = Task { URL.homeDirectory.path }
    return await [child, unstructured.value]
  }

  private static func search(_ directory: FileManager.SearchPathDirectory) -> String {
    NSSearchPathForDirectoriesInDomains(directory, .userDomainMask, true)[0]
  }
}
