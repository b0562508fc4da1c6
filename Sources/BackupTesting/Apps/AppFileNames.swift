import BackupContainer
import BackupDiagnostics
import BackupFileTree

/// The files of the app that Foundation stores at other paths in the app's process than on iOS.
///
/// For example, Foundation names the file of the user defaults after the process. While the kit
/// reads the container, the files are at their paths on iOS.
struct AppFileNames: Sendable {
  /// The files and directories of Foundation, each with its path in the app's process and its path
  /// on iOS.
  private let pathPairs: [(foundationPath: ContainerPath, systemPath: ContainerPath)]
  /// The folder that Foundation creates for cookies as soon as the app uses a `URLSession`. iOS
  /// does not create it.
  private let cookieFolder: ContainerPath?
  /// True if the kit removed the cookie folder. The app's process expects it to exist.
  private var hasRemovedCookieFolder = false
  /// True if `Library/Application Support` existed when the app was last resumed.
  private var hadApplicationSupport = false

  /// Creates the list of paths for an app.
  ///
  /// - Parameters:
  ///   - process: The name of the app's process.
  ///   - bundle: The name of the folder that Foundation considers the app's bundle.
  ///   - bundleIdentifier: The app's bundle identifier, which iOS uses in the names of the files.
  init(process: String, bundle: String, bundleIdentifier: String) {
    let textPairs = [
      ("Library/Preferences/\(process).plist", "Library/Preferences/\(bundleIdentifier).plist"),
      (
        "Library/Caches/\(Self.cacheFolderName)/\(process)",
        "Library/Caches/\(bundleIdentifier)/fsCachedData"
      ),
      (
        "Library/Application Support/\(bundle)/.cookies.shared",
        "Library/Cookies/Cookies.binarycookies"
      ),
    ]
    // The name of a process or an app is not always a valid file name. If it is invalid, the kit
    // does not move the item.
    cookieFolder = try? ContainerPath("\(Self.applicationSupport)/\(bundle)")
    pathPairs = textPairs.compactMap { foundationText, systemText in
      guard let foundationPath = try? ContainerPath(foundationText),
        let systemPath = try? ContainerPath(systemText), foundationPath != systemPath
      else { return nil }
      return (foundationPath, systemPath)
    }
  }

  /// Moves the files to the paths that Foundation uses, before the app is resumed.
  mutating func moveToFoundationPaths(in home: ContainerHome) throws(RunError) {
    hadApplicationSupport = try home.holds(Self.applicationSupport)
    if hasRemovedCookieFolder, let cookieFolder { try home.makeDirectory(cookieFolder) }
    for pair in pathPairs { try Self.move(pair.systemPath, to: pair.foundationPath, in: home) }
  }

  /// Moves the files to their paths on iOS, before the kit reads the container.
  mutating func moveToSystemPaths(in home: ContainerHome) throws(RunError) {
    for pair in pathPairs { try Self.move(pair.foundationPath, to: pair.systemPath, in: home) }
    guard let cookieFolder, try home.removeEmptyDirectory(cookieFolder) else { return }
    hasRemovedCookieFolder = true
    if !hadApplicationSupport { try home.removeEmptyDirectory(Self.applicationSupport) }
  }

  /// Returns the path on iOS of an item that the app's process has stored at `path`.
  func systemPath(of path: ContainerPath) -> ContainerPath {
    pathPairs.lazy.compactMap { path.moved(from: $0.foundationPath, to: $0.systemPath) }.first
      ?? path
  }

  private static let applicationSupport = ContainerPath.StandardLocation.applicationSupport.path
  /// The name of the folder in `Library/Caches` in which Foundation has a cache for each process.
  private static let cacheFolderName = "org.swift.foundation.URLCache"

  /// Moves an item, unless it is missing or another item is at the new path. Removes Foundation's
  /// cache folder if the move leaves it empty.
  private static func move(
    _ oldPath: ContainerPath, to newPath: ContainerPath, in home: ContainerHome
  ) throws(RunError) {
    guard try home.move(oldPath, to: newPath) else { return }
    if let folder = oldPath.parent, folder.name.string == cacheFolderName {
      try home.removeEmptyDirectory(folder)
    }
  }
}
