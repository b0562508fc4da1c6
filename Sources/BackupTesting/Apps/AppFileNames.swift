import BackupContainer
import BackupDiagnostics
import BackupFileTree

/// The files that Foundation names after the process or stores in other places than iOS does.
///
/// While the app is suspended, the files are in their places on iOS.
struct AppFileNames: Sendable {
  /// The files and directories of Foundation, each with its path on Linux and its path on iOS.
  private let items: [(foundationPath: ContainerPath, systemPath: ContainerPath)]
  /// The folder for cookies that Foundation creates wherever a `URLSession` exists, and that iOS
  /// does not create.
  private let cookieFolder: ContainerPath?
  /// True if the kit removed the cookie folder, which the app's process expects to exist.
  private var hasRemovedCookieFolder = false
  /// True if `Library/Application Support` existed when the app was last resumed.
  private var hadSupport = false

  /// Lists the files that Foundation names after a process or after the folder that it takes for
  /// the app's bundle.
  init(process: String, bundle: String, bundleIdentifier: String) {
    let all = [
      ("Library/Preferences/\(process).plist", "Library/Preferences/\(bundleIdentifier).plist"),
      (
        "Library/Caches/\(Self.caches)/\(process)",
        "Library/Caches/\(bundleIdentifier)/fsCachedData"
      ),
      (
        "Library/Application Support/\(bundle)/.cookies.shared",
        "Library/Cookies/Cookies.binarycookies"
      ),
    ]
    // The name of a process or an app is not always a valid file name.
    cookieFolder = try? ContainerPath("\(Self.support)/\(bundle)")
    items = all.compactMap { foundationText, systemText in
      guard let foundationPath = try? ContainerPath(foundationText),
        let systemPath = try? ContainerPath(systemText), foundationPath != systemPath
      else { return nil }
      return (foundationPath, systemPath)
    }
  }

  /// Moves the files to their paths in Foundation, before the app is resumed.
  mutating func moveToFoundationPaths(in home: ContainerHome) throws(RunError) {
    hadSupport = try home.holds(Self.support)
    if hasRemovedCookieFolder, let cookieFolder { try home.makeDirectory(cookieFolder) }
    for item in items { try Self.move(item.systemPath, to: item.foundationPath, in: home) }
  }

  /// Moves the files to their paths on iOS, before the kit reads the container.
  mutating func moveToSystemPaths(in home: ContainerHome) throws(RunError) {
    for item in items { try Self.move(item.foundationPath, to: item.systemPath, in: home) }
    guard let cookieFolder, try home.removeEmptyDirectory(cookieFolder) else { return }
    hasRemovedCookieFolder = true
    if !hadSupport { try home.removeEmptyDirectory(Self.support) }
  }

  /// Returns the path at which the kit finds an item that the app's process put at `path`.
  func systemPath(of path: ContainerPath) -> ContainerPath {
    items.lazy.compactMap { path.moved(from: $0.foundationPath, to: $0.systemPath) }.first ?? path
  }

  private static let support = ContainerPath.StandardLocation.applicationSupport.path
  /// The folder in `Library/Caches` that holds Foundation's caches of all processes.
  private static let caches = "org.swift.foundation.URLCache"

  /// Moves an item, if it exists and nothing is at the new path, and removes Foundation's cache
  /// folder if that is empty afterwards.
  private static func move(
    _ former: ContainerPath, to path: ContainerPath, in home: ContainerHome
  ) throws(RunError) {
    guard try home.move(former, to: path) else { return }
    if let folder = former.parent, folder.name.string == caches {
      try home.removeEmptyDirectory(folder)
    }
  }
}
