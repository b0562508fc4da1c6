import BackupFileTree
import Foundation

extension FakeContainer {
  /// Removes the items that the app's code created in removed containers, and adds a complaint to
  /// ``strayComplaints`` for each of these containers.
  ///
  /// Code in the test's process may store a path in a static variable. In the next test, the code
  /// then saves in the first test's container. That container is gone, so no rule sees the file.
  /// ``endWatching(_:known:)`` handles the former paths of this container.
  func removeStrays() {
    let (folders, atMostOneRunsCode) = openContainers.removedDevices()
    for folder in folders where FileKind(at: folder.path, followingLinks: false) == .folder {
      do throws(SystemError) {
        guard let path = try Self.firstStray(at: folder) else { continue }
        strayComplaints.withLock { $0.append(Self.complaint(onStray: path, atMostOneRunsCode)) }
      } catch {
        // The test that has ended may be removing the folder just now.
        if error.number == ENOENT { continue }
        let complaint =
          "\(folder.path): items created in the container of a test that has ended cannot be "
          + "read: \(error)"
        strayComplaints.withLock { $0.append(complaint) }
      }
    }
  }

  /// Returns a complaint, with advice, if a path belongs to another test's container; otherwise
  /// nil. The path comes from an error that the app's code threw.
  package func complaint(onForeignPath path: String) -> String? {
    // Only the names are compared, because a Mac finds the same folder below /var and /private/var.
    guard let otherDevice = DeviceFolder.pathAbove(path),
      otherDevice.split(separator: "/").last != deviceURL.path.split(separator: "/").last
    else { return nil }
    return
      "this path belongs to another test's container, so the app stored it for longer than a "
      + "test, for example in a static variable. Ask for the container's directories each "
      + "time, or run the app in its own process"
  }

  /// Looks for items that code has created in the folder of a removed device. If there are any,
  /// removes the folder, and returns the first item's path in its container. Also removes the
  /// folder if its items cannot be read.
  private static func firstStray(at folder: URL) throws(SystemError) -> String? {
    let device = try DeviceFolder(at: folder)
    // A signed folder belongs to another process, which by chance chose the same name.
    guard try device.signature == nil else { return nil }
    let firstPath = Result { () throws(SystemError) in
      var paths: [String] = []
      for name in try device.ownPath.names().map({ String(decoding: $0, as: UTF8.self) })
      where UUID(uuidString: name) != nil {
        try Scanner.scan(ContainerRoots(device.path(name))).forEachItem { path, item in
          if item.children.isEmpty { paths.append(path.string) }
        }
      }
      return paths.min()
    }
    if firstPath != .success(nil) { DeviceFolder.remove(device) }
    return try firstPath.get()
  }

  /// Returns a complaint, with advice, about an item that was created in a removed container.
  /// `isCertain` is true if this container's code created it.
  private static func complaint(onStray path: String, _ isCertain: Bool) -> String {
    let doubt = isCertain ? "" : ", by this code or by a test that ran at the same time"
    return
      "'\(path)' was created in the container of a test that has ended\(doubt), so no rule sees "
      + "it. The app stored a path for longer than a test, for example in a static variable. "
      + "Ask for the container's directories each time, or run the app in its own process"
  }

  /// Takes a snapshot of the home before the app's code runs, and waits until new files get a later
  /// date.
  func beginWatchingHome() {
    let home = HostHome.current
    let snapshot = home.snapshot()
    // An error needs no report here: the snapshot of the container waits for the same clock, and
    // throws.
    try? deviceFolder.waitUntilPast(snapshot.newestChange)
    let watch = HomeWatch(
      home: home, snapshot: snapshot, codeStartCount: openContainers.codeStartCountIfAlone)
    homeWatch.withLock { $0 = watch }
  }

  func endWatchingHome() {
    let entryCount = openContainers.codeStartCountIfAlone
    homeWatch.withLock { watch in
      let codeRanAlone = entryCount != nil && watch?.codeStartCount == entryCount
      watch?.codeRanAlone = codeRanAlone
    }
  }

  /// Adds a complaint if the app's code changed nothing in its container, but something changed in
  /// the home.
  func complainAboutHome(afterChanges hasContainerChanges: Bool) {
    let watch = homeWatch.exchange(for: nil)
    guard !hasContainerChanges, let watch,
      let change = watch.home.firstChange(since: watch.snapshot)
    else {
      return
    }
    let complaint = Self.complaint(on: change, watch.codeRanAlone)
    homeComplaints.withLock { $0.append(complaint) }
  }

  /// Returns and clears the complaints about changes in the home.
  package func takeHomeComplaints() -> [HomeComplaint] { homeComplaints.exchange(for: []) }

  /// Returns a complaint, with advice, about a changed item in the home. `codeRanAlone` is true if
  /// no code ran in other containers at the same time.
  private static func complaint(on change: HostHome.Change, _ codeRanAlone: Bool) -> HomeComplaint {
    let doubtReasons = [
      codeRanAlone ? nil : "code in other containers ran at the same time and may have written it",
      change.writer == .anyProgram ? "other programs write there, too" : nil,
    ].compactMap(\.self)
    let doubt = doubtReasons.map { "; \($0)" }.joined()
    return HomeComplaint(
      text:
        "the app's code changed nothing in the container; instead, '\(change.path)' was written "
        + "in the home folder of the test's own process\(doubt). Use paths below "
        + "action.container.url, or bind the code as an AppUnderTest",
      isCertain: doubtReasons.isEmpty
    )
  }
}

/// A snapshot of the test process's home, taken before the app's code runs in that process.
struct HomeWatch: Sendable {
  let home: HostHome
  let snapshot: HostHome.Snapshot
  /// ``OpenContainers/codeStartCountIfAlone`` when the snapshot was taken. If this number is another
  /// after the code has run, code in another container may have changed the home.
  let codeStartCount: Int?
  /// True if no code ran in other containers at the same time. Set after the code has run.
  var codeRanAlone = false
}

/// A complaint about a change that the app's code may have made outside its container, with advice.
package struct HomeComplaint: Sendable {
  package let text: String
  /// True if only the app's code can have made the change: meanwhile, no code ran in another test's
  /// container, and no other program writes there.
  package let isCertain: Bool
}
