/// What is known of the test process's home while code of the app's runs in that process.
///
/// The entries are how often code has begun to run in a container, nil if it runs in several; it is
/// alone if no other container's code ran meanwhile, as known when the code has ended.
typealias HomeWatch = (
  home: HostHome, before: HostHome.Snapshot, entries: Int?, isAlone: Bool
)

/// What the app's code may have changed outside of its container, and what to do; and whether only
/// that code can have done it: no code of another test ran in a container meanwhile, and no other
/// program writes there.
package typealias HomeComplaint = (text: String, isCertain: Bool)

extension FakeContainer {
  /// Looks at the home before the app's code runs, and waits until what that writes is dated later.
  func beginWatchingHome() {
    let home = HostHome.current
    let before = home.snapshot()
    try? folder.waitUntilPast(before.newest)
    let watch = (home: home, before: before, entries: neighbours.entriesOfOnly, isAlone: false)
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
    let watch = homeWatch.withLock { watch in
      defer { watch = nil }
      return watch
    }
    guard !hasChanges, let watch, let change = watch.home.firstChange(since: watch.before) else {
      return
    }
    let complaint = Self.complaint(on: change, watch.isAlone)
    homeComplaints.withLock { $0.append(complaint) }
  }

  /// What the app's code has since done outside of its container, as far as can be seen.
  package func takeHomeComplaints() -> [HomeComplaint] {
    homeComplaints.withLock { complaints in
      defer { complaints = [] }
      return complaints
    }
  }

  /// What is wrong with an item of the home, and what to do; `isAlone` if no other container's code
  /// ran meanwhile.
  private static func complaint(on change: HostHome.Change, _ isAlone: Bool) -> HomeComplaint {
    let others = [
      isAlone ? nil : "code in other containers ran at the same time and may have written it",
      change.isShared ? "other programs write there, too" : nil,
    ].compactMap(\.self)
    let doubt = others.map { "; \($0)" }.joined()
    return (
      text:
        "the app's code changed nothing in the container; instead, '\(change.path)' was written "
        + "in the home folder of the test's own process\(doubt). Use paths below "
        + "action.container.url, or bind the code as an AppUnderTest",
      isCertain: others.isEmpty
    )
  }
}
