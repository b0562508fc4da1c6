import BackupFileTree
import Foundation

extension FakeContainer {
  /// Notes and removes items that code created at the paths of removed containers.
  ///
  /// Code that runs in the test's process and keeps a path in a static variable saves in the
  /// container of the first test. That container is gone, so no rule sees what the code saves.
  /// ``endWatching(_:known:)`` handles the former paths of this container itself.
  func noteStrays() {
    let (folders, isOneOccupied) = openContainers.removedDevices()
    for folder in folders where FileKind(at: folder.path, followingLinks: false) == .folder {
      do throws(SystemError) {
        guard let path = try Self.firstStray(at: folder) else { continue }
        strays.withLock { $0.append(Self.complaint(onStray: path, isOneOccupied)) }
      } catch {
        // The test that has ended may be removing it just now.
        if error.number == ENOENT { continue }
        let complaint =
          "\(folder.path): items created in the container of a test that has ended cannot be "
          + "read: \(error)"
        strays.withLock { $0.append(complaint) }
      }
    }
  }

  /// Returns a complaint about a path that an error of this container's code names, with advice;
  /// nil if the path is in no other test's container.
  package func complaint(onForeignPath path: String) -> String? {
    // Only the names are compared, because on a Mac the same folder is below /var and /private/var.
    guard let other = DeviceFolder.above(path),
      other.split(separator: "/").last != device.path.split(separator: "/").last
    else { return nil }
    return
      "this path belongs to another test's container, so the app stored it for longer than a "
      + "test, for example in a static variable. Ask for the container's directories each "
      + "time, or run the app in its own process"
  }

  /// Returns the first item that was created in the folder of a removed device, by its path in the
  /// container, and removes the folder.
  private static func firstStray(at folder: URL) throws(SystemError) -> String? {
    let device = try DeviceFolder(at: folder)
    // A signed folder belongs to another process, which by chance chose the same name.
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

  /// Returns a complaint about an item that was created in a removed container, with advice.
  /// `isCertain` is true if this container's code created it.
  private static func complaint(onStray path: String, _ isCertain: Bool) -> String {
    let doubt = isCertain ? "" : ", by this code or by a test that ran at the same time"
    return
      "'\(path)' was created in the container of a test that has ended\(doubt), so no rule sees "
      + "it. The app stored a path for longer than a test, for example in a static variable. "
      + "Ask for the container's directories each time, or run the app in its own process"
  }

  /// Takes a snapshot of the home before the app's code runs, and waits until files written from
  /// then on have a later date.
  func beginWatchingHome() {
    let home = HostHome.current
    let before = home.snapshot()
    // An error is ignored here: the snapshot of the container waits for the same clock, and throws.
    try? folder.waitUntilPast(before.newest)
    let watch = HomeWatch(home: home, before: before, entries: openContainers.entryCountIfSingle)
    homeWatch.withLock { $0 = watch }
  }

  func endWatchingHome() {
    let entries = openContainers.entryCountIfSingle
    homeWatch.withLock { watch in
      let isAlone = entries != nil && watch?.entries == entries
      watch?.isAlone = isAlone
    }
  }

  /// Notes a complaint if code changed something in the home, but nothing in the container.
  func judgeHome(afterChanges hasChanges: Bool) {
    let watch = homeWatch.exchange(for: nil)
    guard !hasChanges, let watch, let change = watch.home.firstChange(since: watch.before) else {
      return
    }
    let complaint = Self.complaint(on: change, watch.isAlone)
    homeComplaints.withLock { $0.append(complaint) }
  }

  /// Returns and clears the complaints about what the app's code did outside its container, as far
  /// as the kit can see it.
  package func takeHomeComplaints() -> [HomeComplaint] { homeComplaints.exchange(for: []) }

  /// Returns a complaint about a changed item of the home, with advice. `isAlone` is true if no
  /// other container's code ran meanwhile.
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

/// A snapshot of the test process's home, taken before the app's code runs in that process.
struct HomeWatch: Sendable {
  let home: HostHome
  let before: HostHome.Snapshot
  /// The number of times that code has begun to run in a container; nil unless it runs in exactly
  /// one.
  let entries: Int?
  /// True if no other container's code ran meanwhile. Set when the code has ended.
  var isAlone = false
}

/// A complaint about a change that the app's code may have made outside its container, with advice.
package struct HomeComplaint: Sendable {
  package let text: String
  /// True if only the app's code can have made the change: no code of another test ran in a
  /// container meanwhile, and no other program writes there.
  package let isCertain: Bool
}
