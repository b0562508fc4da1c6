import BackupContainer
import BackupDiagnostics
import BackupFileTree

/// The files that Foundation names after the process, or puts where iOS does not: while the app
/// stands still they are where they are on iOS.
struct AppFileNames: Sendable {
  /// The files and directories of Foundation's: where it has them on Linux, and where iOS has them.
  private let items: [(foundations: ContainerPath, systems: ContainerPath)]
  /// The folder that Foundation makes for cookies wherever a `URLSession` is, which iOS does not.
  private let cookieFolder: ContainerPath?
  /// Whether that folder was taken away, and the app's process takes it for there.
  private var isCookieFolderMissed = false
  /// Whether `Library/Application Support` was there when the app went on.
  private var hadSupport = false

  /// The files of a process, which Foundation names after it and after the folder that it takes for
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
    // A name of the process's or the app's may be none of a file.
    cookieFolder = try? ContainerPath("\(Self.support)/\(bundle)")
    items = all.compactMap { foundations, systems in
      guard let foundations = try? ContainerPath(foundations),
        let systems = try? ContainerPath(systems), foundations != systems
      else { return nil }
      return (foundations, systems)
    }
  }

  /// Puts them where Foundation looks for them, before the app goes on.
  mutating func giveToFoundation(in home: ContainerHome) throws(RunError) {
    hadSupport = try home.holds(Self.support)
    if isCookieFolderMissed, let cookieFolder { try home.makeDirectory(cookieFolder) }
    for item in items { try Self.move(item.systems, to: item.foundations, in: home) }
  }

  /// Puts them where they are on iOS, before a look.
  mutating func giveToSystem(in home: ContainerHome) throws(RunError) {
    for item in items { try Self.move(item.foundations, to: item.systems, in: home) }
    guard let cookieFolder, try home.removeEmptyDirectory(cookieFolder) else { return }
    isCookieFolderMissed = true
    if !hadSupport { try home.removeEmptyDirectory(Self.support) }
  }

  /// Where a look finds an item that the app's process has put somewhere else.
  func systemPath(of path: ContainerPath) -> ContainerPath {
    items.lazy.compactMap { path.moved(from: $0.foundations, to: $0.systems) }.first ?? path
  }

  private static let support = ContainerPath.StandardLocation.applicationSupport.path
  /// The folder in `Library/Caches` that holds Foundation's caches of all processes.
  private static let caches = "org.swift.foundation.URLCache"

  /// Moves an item that is there to where nothing is, and leaves no empty folder behind.
  private static func move(
    _ former: ContainerPath, to path: ContainerPath, in home: ContainerHome
  ) throws(RunError) {
    guard try home.move(former, to: path) else { return }
    if let folder = former.parent, folder.name.string == caches {
      try home.removeEmptyDirectory(folder)
    }
  }
}
