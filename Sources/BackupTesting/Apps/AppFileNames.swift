import BackupContainer
import BackupDiagnostics
import BackupFileTree

/// The files that Foundation names after the process or stores in other places than iOS does.
///
/// While the app is suspended, they are in their places on iOS.
struct AppFileNames: Sendable {
  /// Each file or directory of Foundation, with its path on Linux and its path on iOS.
  private let items: [(foundations: ContainerPath, systems: ContainerPath)]
  /// The folder for cookies that Foundation creates wherever a `URLSession` exists, and that iOS
  /// does not create.
  private let cookieFolder: ContainerPath?
  /// True if the kit removed that folder, which the app's process expects to exist.
  private var isCookieFolderMissed = false
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
    items = all.compactMap { foundations, systems in
      guard let foundations = try? ContainerPath(foundations),
        let systems = try? ContainerPath(systems), foundations != systems
      else { return nil }
      return (foundations, systems)
    }
  }

  /// Moves the files to where Foundation looks for them, before the app is resumed.
  mutating func giveToFoundation(in home: ContainerHome) throws(RunError) {
    hadSupport = try home.holds(Self.support)
    if isCookieFolderMissed, let cookieFolder { try home.makeDirectory(cookieFolder) }
    for item in items { try Self.move(item.systems, to: item.foundations, in: home) }
  }

  /// Moves the files to their places on iOS, before the kit reads the container.
  mutating func giveToSystem(in home: ContainerHome) throws(RunError) {
    for item in items { try Self.move(item.foundations, to: item.systems, in: home) }
    guard let cookieFolder, try home.removeEmptyDirectory(cookieFolder) else { return }
    isCookieFolderMissed = true
    if !hadSupport { try home.removeEmptyDirectory(Self.support) }
  }

  /// Returns the path at which the kit finds an item that the app's process put at `path`.
  func systemPath(of path: ContainerPath) -> ContainerPath {
    items.lazy.compactMap { path.moved(from: $0.foundations, to: $0.systems) }.first ?? path
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
