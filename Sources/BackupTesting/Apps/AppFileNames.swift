import BackupContainer
import BackupFileTree

/// The files that Foundation names after the process, or puts where iOS does not: while the app
/// stands still they are where they are on iOS.
struct AppFileNames: Sendable {
  /// The files and directories of Foundation's: where it has them on Linux, and where iOS has them.
  private let items: [(foundations: ContainerPath, systems: ContainerPath)]
  /// The folder that Foundation makes for cookies wherever a `URLSession` is, which iOS does not.
  private let cookieFolder: String
  /// Whether that folder was taken away, and the app's process takes it for there.
  private var isCookieFolderMissed = false
  /// Whether `Library/Application Support` was there when the app went on.
  private var hadSupport = false

  /// The files of a process, which Foundation names after it and after the folder that it takes for
  /// the app's bundle.
  init(process: String, bundle: String, bundleIdentifier: String) {
    let all = [
      ("Library/Preferences/\(process).plist", "Library/Preferences/\(bundleIdentifier).plist"),
      ("\(Self.caches)/\(process)", "Library/Caches/\(bundleIdentifier)/fsCachedData"),
      (
        "Library/Application Support/\(bundle)/.cookies.shared",
        "Library/Cookies/Cookies.binarycookies"
      ),
    ]
    cookieFolder = "\(Self.support)/\(bundle)"
    // A name of the process's or the app's may be none of a file.
    items = all.compactMap { foundations, systems in
      guard let foundations = try? ContainerPath(foundations),
        let systems = try? ContainerPath(systems), foundations != systems
      else { return nil }
      return (foundations, systems)
    }
  }

  /// Puts them where Foundation looks for them, before the app goes on.
  mutating func giveToFoundation(in home: ContainerHome) {
    hadSupport = home.holds(Self.support)
    if isCookieFolderMissed { home.makeDirectory(cookieFolder) }
    for item in items { Self.move(item.systems.string, to: item.foundations.string, in: home) }
  }

  /// Puts them where they are on iOS, before a look.
  mutating func giveToSystem(in home: ContainerHome) {
    for item in items { Self.move(item.foundations.string, to: item.systems.string, in: home) }
    guard home.removeEmptyDirectory(cookieFolder) else { return }
    isCookieFolderMissed = true
    if !hadSupport { home.removeEmptyDirectory(Self.support) }
  }

  /// Where a look finds an item that the app's process has put somewhere else.
  func systemPath(of path: ContainerPath) -> ContainerPath {
    items.lazy.compactMap { path.moved(from: $0.foundations, to: $0.systems) }.first ?? path
  }

  private static let support = "Library/Application Support"
  /// What holds Foundation's caches of all processes.
  private static let caches = "Library/Caches/org.swift.foundation.URLCache"

  /// Moves an item that is there to where nothing is, and leaves no empty folder behind.
  private static func move(_ former: String, to path: String, in home: ContainerHome) {
    guard home.move(former, to: path) else { return }
    if former.hasPrefix("\(caches)/") { home.removeEmptyDirectory(caches) }
  }
}
