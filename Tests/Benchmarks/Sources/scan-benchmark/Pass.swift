import BackupTesting
import CTreeWalk

/// One way to go through the container, which is timed.
struct Pass: Sendable {
  /// What the table calls it.
  let name: String
  /// Goes through the container once; what it hands back is called when the clock has stopped.
  let run: @Sendable (FakeContainer) throws -> () -> Sighting

  /// What is compared, the first with each of the others: a new pass is one more line.
  static let all = [
    Pass(name: "C walk", run: { try walkInC($0, mayChangeDirectory: true) }),
    Pass(name: "C walk, no chdir", run: { try walkInC($0, mayChangeDirectory: false) }),
    Pass(name: "scan", run: { try scan($0) }),
    Pass(name: "scan and decide", run: { try scanAndDecide($0) }),
  ]

  /// Walks with fts and one `getxattr` for each item.
  private static func walkInC(
    _ container: FakeContainer, mayChangeDirectory: Bool
  ) throws -> () -> Sighting {
    var count = ctw_count()
    guard ctw_walk(container.url.path, mayChangeDirectory ? 1 : 0, &count) == 0 else {
      throw WalkFailure()
    }
    let sighting = Sighting(items: Int(count.items), marked: Int(count.marked))
    return { sighting }
  }

  /// Reads the container into a tree.
  private static func scan(_ container: FakeContainer) throws -> () -> Sighting {
    let tree = try container.scan()
    return { Sighting(tree) }
  }

  /// Reads the container into a tree and decides for every item whether a backup holds it.
  private static func scanAndDecide(_ container: FakeContainer) throws -> () -> Sighting {
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

  /// Both numbers.
  var description: String { "\(items) items, \(marked) marked" }
}

extension Sighting {
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
