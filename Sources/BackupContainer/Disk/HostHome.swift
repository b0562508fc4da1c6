import CBackupFiles
import Foundation

/// The home of the test's own process, where code that runs in that process and asks Foundation for
/// its directories writes.
///
/// It is the user's on Linux and macOS, where other programs write too. So only a few items are
/// observed, and never contents: the files directly in Application Support and Caches, and new
/// directories there; Documents itself, whose items a Mac lists only with the user's permission;
/// and the preferences that bear the process's name. If all of the home is this process's, as in a
/// simulator, all items directly in the three count. The temporary folder is left out: tests use
/// it.
package struct HostHome: Sendable {
  /// That of this process; tests put another in its place.
  @TaskLocal package static var current = HostHome(
    environment: ProcessInfo.processInfo.environment,
    process: ProcessInfo.processInfo.processName,
    account: getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) })

  /// What tells that an item is another, or was changed.
  fileprivate struct Stamp: Hashable {
    let item: UInt64
    /// When it was changed, in nanoseconds since 1970.
    let changed: Int64
    let size: Int64
  }

  package struct Snapshot: Sendable {
    /// The items that count, by path; nil for a directory that only counts when it is new.
    fileprivate var stamps: [String: Stamp?] = [:]
    /// The folders whose items were all seen.
    fileprivate var folders: Set<String> = []
    /// The items that could not be read and whose state is therefore unknown.
    fileprivate var unseen: Set<String> = []

    /// When the newest of the items was changed, in nanoseconds since 1970; 0 for no items.
    package var newest: Int64 { stamps.values.compactMap { $0?.changed }.max() ?? 0 }
  }

  /// An item that was made or written.
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

  /// The folders that belong to this process, in which all items count.
  private let ownFolders: [String]
  /// The folders that other programs write to.
  private let sharedFolders: [String]
  /// The items that count by themselves: files that bear the process's name, and Documents.
  private let items: [String]
  /// A folder with more items than this is not observed.
  private static let mostItems = 2000

  /// The home that an environment names, and that of the account, which Foundation on Linux takes
  /// unless `CFFIXED_USER_HOME` is set.
  package init(environment: [String: String], process: String, account: String? = nil) {
    let named = environment["CFFIXED_USER_HOME"].map { [$0] } ?? [environment["HOME"], account]
    let homes = Set(named.compactMap(\.self).filter { $0.hasPrefix("/") }).sorted()
    let (own, shared) = (homes.filter(Self.isOwn), homes.filter { !Self.isOwn($0) })
    ownFolders = own.flatMap { ["\($0)/Documents"] + Self.dataFolders(in: $0) }
    sharedFolders =
      shared.flatMap(Self.dataFolders)
      + ["XDG_DATA_HOME", "XDG_CACHE_HOME"].compactMap { environment[$0] }
    let preferences =
      homes.flatMap { ["\($0)/Library/Preferences", "\($0)/.config"] }
      + ["XDG_CONFIG_HOME"].compactMap { environment[$0] }
    items = preferences.map { "\($0)/\(process).plist" } + shared.map { "\($0)/Documents" }
  }

  /// Whether a home is an app's own, as in a simulator and on a device.
  private static func isOwn(_ home: String) -> Bool {
    home.contains("/Containers/Data/Application/")
  }

  private static func dataFolders(in home: String) -> [String] {
    ["Library/Application Support", "Library/Caches", ".local/share", ".cache"].map {
      "\(home)/\($0)"
    }
  }

  package func snapshot() -> Snapshot {
    var look = Snapshot()
    for folder in ownFolders { add(folder, countingDirectories: true, to: &look) }
    for folder in sharedFolders { add(folder, countingDirectories: false, to: &look) }
    for item in items {
      look.note(Self.place(of: item), as: item)
    }
    return look
  }

  /// The first item by its path that was made or written since a look, of those where no other
  /// program writes if there is one; nil if none was seen. A folder that could not be read then
  /// says nothing now.
  package func firstChange(since former: Snapshot) -> Change? {
    let now = snapshot()
    let changed = now.stamps.filter { path, stamp in
      guard !former.unseen.contains(path) else { return false }
      guard let before = former.stamps[path] else {
        return items.contains(path) || former.folders.contains(Self.folder(of: path))
      }
      return before != stamp
    }.keys.sorted()
    let shared = Set(sharedFolders)
    let own = changed.first { !shared.contains(Self.folder(of: $0)) }
    return own.map { Change(path: $0, writer: .thisProcess) }
      ?? changed.first.map { Change(path: $0, writer: .anyProgram) }
  }

  private static func folder(of item: String) -> String {
    String(item[..<(item.lastIndex(of: "/") ?? item.endIndex)])
  }

  private static func place(of item: String) -> DiskPath {
    DiskPath(URL(fileURLWithPath: item).resolvingSymlinksInPath())
  }

  private func add(_ folder: String, countingDirectories: Bool, to look: inout Snapshot) {
    let directory = Self.place(of: folder)
    guard let names = try? directory.names(), names.count <= Self.mostItems else {
      // What is not there at all has no items.
      if access(folder, F_OK) != 0, errno == ENOENT { look.folders.insert(folder) }
      return
    }
    look.folders.insert(folder)
    for name in names {
      look.note(
        directory.appending(name), as: "\(folder)/\(String(decoding: name, as: UTF8.self))",
        countingDirectories: countingDirectories)
    }
  }
}

extension HostHome.Snapshot {
  /// Notes an item, if it is there, under a path; a directory counts if it is new, or with
  /// `countsDirectories`.
  fileprivate mutating func note(
    _ place: DiskPath, as path: String, countingDirectories countsDirectories: Bool = true
  ) {
    do throws(SystemError) {
      guard let status = try place.status() else { return }
      let counts = countsDirectories || !status.isDirectory
      let stamp = HostHome.Stamp(
        item: status.inode, changed: status.changed, size: status.size)
      stamps[path] = counts ? stamp : .some(nil)
    } catch {
      unseen.insert(path)
    }
  }
}
