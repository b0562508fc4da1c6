import BackupTesting
import CTreeWalk

/// One way to read a container. The benchmark measures its time.
struct Pass: Sendable {
  let name: String
  /// Reads the container once. The returned closure counts the items after the measurement.
  let run: @Sendable (FakeContainer) throws -> () -> ItemCounts

  /// A scan in C that reads the same facts as the kit. The other passes are compared with it.
  static let scanInC = Pass(name: "C scan", run: { try readInC($0) })
  /// The pass that has a limit.
  static let scanAndDecide = Pass(name: "scan and decide", run: { try decide($0) })
  static let all = [
    scanInC,
    Pass(name: "C walk, keeps nothing", run: { try walkInC($0) }),
    Pass(name: "scan", run: { try scan($0) }),
    scanAndDecide,
  ]

  /// Returns the user and system time of one run, in seconds.
  func time(on container: FakeContainer) throws -> Double {
    try CPUTime.of { try run(container) }
  }

  private static func readInC(_ container: FakeContainer) throws -> () -> ItemCounts {
    guard let directory = ctw_scan(container.url.path) else { throw WalkFailure() }
    return {
      defer { ctw_free(directory) }
      return ItemCounts(ctw_count(directory))
    }
  }

  /// Walks with fts and one `getxattr` for each item.
  private static func walkInC(_ container: FakeContainer) throws -> () -> ItemCounts {
    var count = ctw_count()
    guard ctw_walk(container.url.path, &count) == 0 else { throw WalkFailure() }
    let counts = ItemCounts(count)
    return { counts }
  }

  private static func scan(_ container: FakeContainer) throws -> () -> ItemCounts {
    let tree = try container.scan()
    return { ItemCounts(tree) }
  }

  /// Scans the container, and decides for each item whether a backup includes it.
  private static func decide(_ container: FakeContainer) throws -> () -> ItemCounts {
    guard let profile = SystemProfile.newest else { throw WalkFailure() }
    let tree = try container.scan()
    let backupSet = BackupSimulator(profile: profile).backUp(tree)
    return {
      ItemCounts(items: backupSet.decisions.count, marked: ItemCounts(tree).marked)
    }
  }
}

/// The counts of a pass. They are equal if all passes read the same items.
struct ItemCounts: CustomStringConvertible {
  /// The number of items.
  let items: Int
  /// The number of items with a mark.
  let marked: Int

  var description: String { "\(items) items, \(marked) marked" }
}

extension ItemCounts {
  /// Creates the counts of a pass in C.
  init(_ count: ctw_count) {
    self.init(items: Int(count.items), marked: Int(count.marked))
  }

  /// Counts a tree's items and marks.
  init(_ tree: FileTree) {
    var items = 0
    var marked = 0
    tree.walk { _, item in
      items += 1
      if item.marks.contains(.resourceValue) { marked += 1 }
      return true
    }
    self.init(items: items, marked: marked)
  }
}

/// A measurement failed.
struct WalkFailure: Error {}
