import BackupFileTree
import Foundation

extension FakeContainer {
  /// Notes what was made at the paths of containers that were removed, and removes it.
  ///
  /// Code in the process of the test that keeps a path in a static saves in the container of the
  /// test that came first, which is gone; so nothing that it saves is looked at. The containers
  /// that this one was before are another matter: what is made there is seen by
  /// ``endWatching(_:known:)``.
  func noteStrays() {
    let (folders, isOneOccupied) = neighbours.removedDevices()
    for folder in folders where FileKind(at: folder.path, followingLinks: false) == .folder {
      do throws(SystemError) {
        guard let path = try Self.firstStray(at: folder) else { continue }
        strays.withLock { $0.append(Self.complaint(onStray: path, isOneOccupied)) }
      } catch {
        let complaint =
          "\(folder.path): what was created in the container of a test that has ended cannot be "
          + "read: \(error)"
        strays.withLock { $0.append(complaint) }
      }
    }
  }

  /// What is wrong with a path that an error of this container's code names, and what to do; nil
  /// for a path that is in no other test's container.
  package func complaint(onForeignPath path: String) -> String? {
    // By their names alone: on a Mac the same folder is below /var and /private/var.
    guard let other = DeviceFolder.above(path),
      other.split(separator: "/").last != device.path.split(separator: "/").last
    else { return nil }
    return
      "this path belongs to another test's container, so the app stored it for longer than a "
      + "test, for example in a static variable. Ask for the container's directories each "
      + "time, or run the app in its own process"
  }

  /// What was made in the folder of a removed device, by its path in the container; the folder is
  /// removed.
  private static func firstStray(at folder: URL) throws(SystemError) -> String? {
    let device = try DeviceFolder(at: folder)
    // A folder that is signed is another process's, which has hit upon the name.
    guard try device.signature == nil else { return nil }
    let first = Result { () throws(SystemError) in
      var paths: [String] = []
      for name in try device.itself.names().map({ String(decoding: $0, as: UTF8.self) })
      where UUID(uuidString: name) != nil {
        try Scanner.scan(ContainerRoots(device.path(name))).forEachItem { path, item in
          if item.children.isEmpty { paths.append(path.string) }
        }
      }
      return paths.min()
    }
    if first != .success(nil) { DeviceFolder.remove(device) }
    return try first.get()
  }

  /// What is wrong with an item that was made where a container was, and what to do; `isCertain` if
  /// this container's code made it.
  private static func complaint(onStray path: String, _ isCertain: Bool) -> String {
    let doubt = isCertain ? "" : ", by this code or by a test that ran at the same time"
    return
      "'\(path)' was created in the container of a test that has ended\(doubt), so no rule sees "
      + "it. The app stored a path for longer than a test, for example in a static variable. "
      + "Ask for the container's directories each time, or run the app in its own process"
  }

  /// Looks at the home before the app's code runs, and waits until what that writes is dated later.
  func beginWatchingHome() {
    let home = HostHome.current
    let before = home.snapshot()
    // A look at the container waits for the same clock, and throws.
    try? folder.waitUntilPast(before.newest)
    let watch = HomeWatch(home: home, before: before, entries: neighbours.entriesOfOnly)
    homeWatch.withLock { $0 = watch }
  }

  func endWatchingHome() {
    let entries = neighbours.entriesOfOnly
    homeWatch.withLock { watch in
      let isAlone = entries != nil && watch?.entries == entries
      watch?.isAlone = isAlone
    }
  }

  /// Notes what is wrong where code has changed nothing in the container, and something in the
  /// home.
  func judgeHome(afterChanges hasChanges: Bool) {
    let watch = homeWatch.exchange(for: nil)
    guard !hasChanges, let watch, let change = watch.home.firstChange(since: watch.before) else {
      return
    }
    let complaint = Self.complaint(on: change, watch.isAlone)
    homeComplaints.withLock { $0.append(complaint) }
  }

  /// What the app's code has since done outside of its container, as far as can be seen.
  package func takeHomeComplaints() -> [HomeComplaint] { homeComplaints.exchange(for: []) }

  /// What is wrong with an item of the home, and what to do; `isAlone` if no other container's code
  /// ran meanwhile.
  private static func complaint(on change: HostHome.Change, _ isAlone: Bool) -> HomeComplaint {
    let others = [
      isAlone ? nil : "code in other containers ran at the same time and may have written it",
      change.writer == .anyProgram ? "other programs write there, too" : nil,
    ].compactMap(\.self)
    let doubt = others.map { "; \($0)" }.joined()
    return HomeComplaint(
      text:
        "the app's code changed nothing in the container; instead, '\(change.path)' was written "
        + "in the home folder of the test's own process\(doubt). Use paths below "
        + "action.container.url, or bind the code as an AppUnderTest",
      isCertain: others.isEmpty
    )
  }
}

/// What is known of the test process's home while code of the app's runs in that process.
struct HomeWatch: Sendable {
  let home: HostHome
  let before: HostHome.Snapshot
  /// How often code has begun to run in a container; nil if it runs in several.
  let entries: Int?
  /// Whether no other container's code ran meanwhile, as known when the code has ended.
  var isAlone = false
}

/// What the app's code may have changed outside of its container, and what to do.
package struct HomeComplaint: Sendable {
  package let text: String
  /// Only that code can have done it: no code of another test ran in a container meanwhile, and no other
  /// program writes there.
  package let isCertain: Bool
}
