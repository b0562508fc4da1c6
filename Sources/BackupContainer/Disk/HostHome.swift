import CBackupFiles
import Foundation

/// The home of the test's own process, where code writes that asks Foundation for its directories and
/// runs in that process.
///
/// It is the user's on Linux and macOS, where other programs write too. So little is looked at, and
/// never contents: the files right in Documents, Application Support and Caches with what is new there,
/// directories too, and the preferences that bear the process's name. Of a directory that was there
/// the date counts only in Documents, or where all of the home is this process's, as in a simulator.
/// The temporary folder is left out: tests use it.
package struct HostHome: Sendable {
  /// That of this process; tests put another in its place.
  @TaskLocal package static var current = HostHome(
    environment: ProcessInfo.processInfo.environment,
    process: ProcessInfo.processInfo.processName,
    account: getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) })

  /// What tells that an item is another, or was changed.
  fileprivate struct Stamp: Hashable {
    /// Its number.
    let item: UInt64
    /// When it was changed, in nanoseconds since 1970.
    let changed: Int64
    /// Its size in bytes.
    let size: Int64
  }

  /// What a look found.
  package struct Look: Sendable {
    /// The items that count, by path; nil for a directory that only counts when it is new.
    fileprivate var stamps: [String: Stamp?] = [:]
  }

  /// The folders of which all counts.
  private let ownFolders: [String]
  /// The folders that other programs write to.
  private let sharedFolders: [String]
  /// The files that bear the process's name.
  private let files: [String]
  /// How many items a folder may have to be looked at.
  private static let mostItems = 2000

  /// The home that an environment names, and that of the account, which Foundation on Linux takes
  /// unless `CFFIXED_USER_HOME` is set.
  ///
  /// - Parameters:
  ///   - environment: The variables of the process.
  ///   - process: Its name.
  ///   - account: The absolute path of its user's home; nil for none.
  package init(environment: [String: String], process: String, account: String? = nil) {
    let named = environment["CFFIXED_USER_HOME"].map { [$0] } ?? [environment["HOME"], account]
    let homes = Set(named.compactMap(\.self).filter { $0.hasPrefix("/") }).sorted()
    let data = homes.flatMap { home in
      [
        "\(home)/Library/Application Support", "\(home)/Library/Caches", "\(home)/.local/share",
        "\(home)/.cache",
      ]
    }
    let folders = data + ["XDG_DATA_HOME", "XDG_CACHE_HOME"].compactMap { environment[$0] }
    let isOwn = homes.first?.contains("/Containers/Data/Application/") == true
    ownFolders = homes.map { "\($0)/Documents" } + (isOwn ? folders : [])
    sharedFolders = isOwn ? [] : folders
    let preferences =
      homes.flatMap { ["\($0)/Library/Preferences", "\($0)/.config"] }
      + ["XDG_CONFIG_HOME"].compactMap { environment[$0] }
    files = preferences.map { "\($0)/\(process).plist" }
  }

  /// Looks at what counts.
  package func look() -> Look {
    var look = Look()
    for folder in ownFolders { add(folder, countingDirectories: true, to: &look) }
    for folder in sharedFolders { add(folder, countingDirectories: false, to: &look) }
    for file in files {
      guard let status = try? DiskPath(URL(fileURLWithPath: file)).status() else { continue }
      look.stamps[file] = Stamp(status)
    }
    return look
  }

  /// The absolute path of an item that was made or written since a look; nil where none was.
  package func firstChange(since former: Look) -> String? {
    look().stamps.filter { path, stamp in
      guard let before = former.stamps[path] else { return true }
      return before != stamp
    }.keys.min()
  }

  /// Adds what is right in a folder.
  private func add(_ folder: String, countingDirectories: Bool, to look: inout Look) {
    let directory = DiskPath(
      URL(fileURLWithPath: folder, isDirectory: true).resolvingSymlinksInPath())
    guard let names = try? directory.names(), names.count <= Self.mostItems else { return }
    for name in names {
      let item = directory.appending(name)
      guard let status = try? item.status() else { continue }
      let counts = countingDirectories || status.kind != CFS_DIRECTORY.rawValue
      look.stamps[item.string] = counts ? Stamp(status) : .some(nil)
    }
  }
}

extension HostHome.Stamp {
  /// That of an item.
  fileprivate init(_ status: cfs_status) {
    self.init(item: status.inode, changed: status.changed, size: status.size)
  }
}
