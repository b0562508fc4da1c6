import BackupTesting
import CTreeWalk

/// One way to go through the container, which is timed.
struct Pass: Sendable {
  /// What the table calls it.
  let name: String
  /// Goes through the container once; what it hands back is called when the clock has stopped.
  let run: @Sendable (FakeContainer) throws -> () -> Sighting

  /// Reads and keeps what the kit's scan does, in C; the others are compared with it.
  static let scanInC = Pass(name: "C scan", run: { try readInC($0) })
  /// What the limit is for.
  static let scanAndDecide = Pass(name: "scan and decide", run: { try decide($0) })
  /// What is compared: a new pass is one more line.
  static let all = [
    scanInC,
    Pass(name: "C walk, keeps nothing", run: { try walkInC($0) }),
    Pass(name: "scan", run: { try scan($0) }),
    scanAndDecide,
  ]

  /// How long one run takes, in seconds of user and system time; what it made is given up when the
  /// clock has stopped.
  func time(on container: FakeContainer) throws -> Double {
    try CPUTime.of { try run(container) }
  }

  /// Reads the container into memory in C.
  private static func readInC(_ container: FakeContainer) throws -> () -> Sighting {
    guard let directory = ctw_scan(container.url.path) else { throw WalkFailure() }
    return {
      defer { ctw_free(directory) }
      return Sighting(ctw_count(directory))
    }
  }

  /// Walks with fts and one `getxattr` for each item.
  private static func walkInC(_ container: FakeContainer) throws -> () -> Sighting {
    var count = ctw_count()
    guard ctw_walk(container.url.path, &count) == 0 else { throw WalkFailure() }
    let sighting = Sighting(count)
    return { sighting }
  }

  /// Reads the container into a tree.
  private static func scan(_ container: FakeContainer) throws -> () -> Sighting {
    let tree = try container.scan()
    return { Sighting(tree) }
  }

  /// Reads the container into a tree and decides for every item whether a backup holds it.
  private static func decide(_ container: FakeContainer) throws -> () -> Sighting {
    guard let profile = SystemProfile.newest else { throw WalkFailure() }
    let tree = try container.scan()
    let set = BackupSimulator(profile: profile).backUp(tree)
    return {
      Sighting(items: set.decisions.count, marked: Sighting(tree).marked)
    }
  }
}

/// What a pass saw, to prove that all passes do the same work.
struct Sighting: CustomStringConvertible {
  /// How many items there were.
  let items: Int
  /// How many of them were marked.
  let marked: Int

  var description: String { "\(items) items, \(marked) marked" }
}

extension Sighting {
  /// What a walk in C has counted.
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

/// A walk in C that the file system refused.
struct WalkFailure: Error {}
