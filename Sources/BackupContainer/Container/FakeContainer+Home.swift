/// What is known of the test process's home while code of the app's runs in that process.
struct HomeWatch: Sendable {
  /// The home.
  let home: HostHome
  /// What was there before.
  let before: HostHome.Look
  /// How often code has begun to run in a container; nil where it runs in several.
  let entries: Int?
  /// Whether no other container's code ran meanwhile, as known when the code has ended.
  var isAlone = false
}

/// A sentence on what code of the app's may have done outside of its container.
package struct HomeComplaint: Hashable, Sendable {
  /// What was found, and what to do.
  package let text: String
  /// Whether no other test's code ran in a container meanwhile, which may have done it.
  package let isCertain: Bool
}

extension FakeContainer {
  /// Looks at the home before the app's code runs.
  func beginWatchingHome() {
    let home = HostHome.current
    let watch = HomeWatch(home: home, before: home.look(), entries: neighbours.entriesOfOnly)
    homeWatch.withLock { $0 = watch }
  }

  /// Notes whether other code has run beside the app's, which has ended.
  func endWatchingHome() {
    let entries = neighbours.entriesOfOnly
    homeWatch.withLock { watch in
      let isAlone = entries != nil && watch?.entries == entries
      watch?.isAlone = isAlone
    }
  }

  /// Looks at the home after code that has changed nothing in the container, or leaves it be.
  func judgeHome(afterChanges hasChanges: Bool) {
    let watch = homeWatch.withLock { watch in
      defer { watch = nil }
      return watch
    }
    guard !hasChanges, let watch, let path = watch.home.firstChange(since: watch.before) else {
      return
    }
    let complaint = Self.complaint(onHomeItem: path, watch.isAlone)
    homeComplaints.withLock { $0.append(complaint) }
  }

  /// What the app's code has since done outside of its container, as far as can be seen.
  package func takeHomeComplaints() -> [HomeComplaint] {
    homeComplaints.withLock { complaints in
      defer { complaints = [] }
      return complaints
    }
  }

  /// What is wrong with an item of the home.
  ///
  /// - Parameters:
  ///   - path: The item.
  ///   - isCertain: Whether no other container's code ran meanwhile.
  /// - Returns: A sentence with what to do.
  private static func complaint(onHomeItem path: String, _ isCertain: Bool) -> HomeComplaint {
    let doubt = isCertain ? "" : "; code in other containers ran meanwhile and may have done it"
    return HomeComplaint(
      text:
        "the app's code changed nothing in the container, but while it ran '\(path)' was written, "
        + "in the home of the test's own process\(doubt). Take the root from action.container.url, "
        + "or bind the code as an AppUnderTest",
      isCertain: isCertain)
  }
}
