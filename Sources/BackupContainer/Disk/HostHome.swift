import CBackupFiles
import Foundation

/// The home of the test's own process. If the app's code runs in this process and asks Foundation
/// for a directory, the code writes to this home.
///
/// On Linux and macOS, this home is the user's home, where other programs write too. So the kit
/// observes only these items, and never their contents:
/// - the files directly in Application Support and Caches, and new directories there;
/// - Documents itself, because a Mac lists its items only with the user's permission;
/// - the preferences that have the process's name.
///
/// If the whole home belongs to this process, as in a simulator, the kit observes all items
/// directly in Documents, Application Support and Caches. It ignores the temporary folder, because
/// tests use it.
package struct HostHome: Sendable {
  /// The home of this process. Tests replace it.
  @TaskLocal package static var current = HostHome(
    environment: ProcessInfo.processInfo.environment,
    processName: ProcessInfo.processInfo.processName,
    accountHome: getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) })

  /// Values of an item. At least one of them changes if the item is changed or replaced.
  fileprivate struct ItemState: Hashable {
    let inode: UInt64
    /// The date of the last change, in nanoseconds since 1970.
    let changeDate: Int64
    let size: Int64
  }

  package struct Snapshot: Sendable {
    /// The observed items, by path. If only the creation of a directory counts, its state is nil.
    fileprivate var statesByPath: [String: ItemState?] = [:]
    /// The folders whose items could all be listed.
    fileprivate var listedFolders: Set<String> = []
    /// The items that could not be read.
    fileprivate var unreadablePaths: Set<String> = []

    /// The newest date of change among the items, in nanoseconds since 1970; 0 for no items.
    package var newestChange: Int64 { statesByPath.values.compactMap { $0?.changeDate }.max() ?? 0 }
  }

  /// An item that was created or changed.
  package struct Change: Sendable {
    enum Writer: Sendable {
      case thisProcess
      /// Other programs write there too.
      case anyProgram
    }

    /// The item's absolute path.
    package let path: String
    let writer: Writer
  }

  /// The folders to which only this process writes. The kit observes all items in them.
  private let ownFolders: [String]
  /// The folders to which other programs write too.
  private let sharedFolders: [String]
  /// Single observed items: the preferences with the process's name, and Documents.
  private let observedItems: [String]
  /// A folder with more items than this is not observed.
  private static let itemLimit = 2000

  /// Creates the home that the environment variables name. `account` is the home of the user's
  /// account, which Foundation on Linux uses unless `CFFIXED_USER_HOME` is set.
  package init(environment: [String: String], processName: String, accountHome: String? = nil) {
    let paths = environment["CFFIXED_USER_HOME"].map { [$0] } ?? [environment["HOME"], accountHome]
    let homes = Set(paths.compactMap(\.self).filter { $0.hasPrefix("/") }).sorted()
    let (ownHomes, sharedHomes) = (
      homes.filter(Self.belongsToApp), homes.filter { !Self.belongsToApp($0) }
    )
    ownFolders = ownHomes.flatMap { ["\($0)/Documents"] + Self.dataFolders(in: $0) }
    sharedFolders =
      sharedHomes.flatMap(Self.dataFolders)
      + ["XDG_DATA_HOME", "XDG_CACHE_HOME"].compactMap { environment[$0] }
    let preferences =
      homes.flatMap { ["\($0)/Library/Preferences", "\($0)/.config"] }
      + ["XDG_CONFIG_HOME"].compactMap { environment[$0] }
    observedItems =
      preferences.map { "\($0)/\(processName).plist" } + sharedHomes.map { "\($0)/Documents" }
  }

  /// Returns true if a home belongs to one app, as in a simulator and on a device.
  private static func belongsToApp(_ home: String) -> Bool {
    home.contains("/Containers/Data/Application/")
  }

  private static func dataFolders(in home: String) -> [String] {
    ["Library/Application Support", "Library/Caches", ".local/share", ".cache"].map {
      "\(home)/\($0)"
    }
  }

  package func snapshot() -> Snapshot {
    var snapshot = Snapshot()
    for folder in ownFolders { addFolder(folder, countingDirectories: true, to: &snapshot) }
    for folder in sharedFolders { addFolder(folder, countingDirectories: false, to: &snapshot) }
    for item in observedItems {
      snapshot.addItem(Self.diskPath(of: item), as: item)
    }
    return snapshot
  }

  /// Returns the first item that was created or changed since a snapshot, in the order of paths;
  /// nil if there is none. Items outside ``sharedFolders`` come first. Items that the snapshot
  /// could not read are ignored.
  package func firstChange(since formerSnapshot: Snapshot) -> Change? {
    let currentSnapshot = snapshot()
    let changedPaths = currentSnapshot.statesByPath.filter { path, state in
      guard !formerSnapshot.unreadablePaths.contains(path) else { return false }
      guard let formerState = formerSnapshot.statesByPath[path] else {
        return observedItems.contains(path)
          || formerSnapshot.listedFolders.contains(Self.folder(of: path))
      }
      return formerState != state
    }.keys.sorted()
    let sharedFolderSet = Set(sharedFolders)
    let ownChange = changedPaths.first { !sharedFolderSet.contains(Self.folder(of: $0)) }
    return ownChange.map { Change(path: $0, writer: .thisProcess) }
      ?? changedPaths.first.map { Change(path: $0, writer: .anyProgram) }
  }

  private static func folder(of item: String) -> String {
    String(item[..<(item.lastIndex(of: "/") ?? item.endIndex)])
  }

  private static func diskPath(of item: String) -> DiskPath {
    DiskPath(URL(fileURLWithPath: item).resolvingSymlinksInPath())
  }

  private func addFolder(_ folder: String, countingDirectories: Bool, to snapshot: inout Snapshot) {
    let directory = Self.diskPath(of: folder)
    guard let names = try? directory.names(), names.count <= Self.itemLimit else {
      // A missing folder has no items.
      if access(folder, F_OK) != 0, errno == ENOENT { snapshot.listedFolders.insert(folder) }
      return
    }
    snapshot.listedFolders.insert(folder)
    for name in names {
      snapshot.addItem(
        directory.appending(name), as: "\(folder)/\(String(decoding: name, as: UTF8.self))",
        countingDirectories: countingDirectories)
    }
  }
}

extension HostHome.Snapshot {
  /// Adds an item to the snapshot under a path, if the item exists. If `countsDirectories` is
  /// false, only the creation of a directory counts.
  fileprivate mutating func addItem(
    _ diskPath: DiskPath, as path: String, countingDirectories countsDirectories: Bool = true
  ) {
    do throws(SystemError) {
      guard let status = try diskPath.status() else { return }
      let countsChanges = countsDirectories || !status.isDirectory
      let state = HostHome.ItemState(
        inode: status.inode, changeDate: status.changed, size: status.size)
      statesByPath[path] = countsChanges ? state : .some(nil)
    } catch {
      unreadablePaths.insert(path)
    }
  }
}
