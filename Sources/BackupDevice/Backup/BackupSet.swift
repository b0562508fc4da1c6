public import BackupFileTree

/// What a backup holds: a decision for every item of a container.
public struct BackupSet: Hashable, Sendable {
  /// The decisions, a directory before what is in it, names in byte order.
  public let decisions: [Decision]

  /// A set of decisions on every item of a container.
  ///
  /// - Parameter decisions: One for each item, a directory before what is in it, names in byte
  ///   order; ``decision(on:)`` relies on that order.
  public init(decisions: [Decision]) {
    self.decisions = decisions
  }

  /// The items in the backup.
  public var included: [Decision] { decisions.filter(\.isIncluded) }

  /// The items not in the backup, those inside a directory left out whole too.
  public var leftOut: [Decision] { decisions.filter { !$0.isIncluded } }

  /// How many files the backup holds.
  public var fileCount: Int { decisions.count { $0.isIncluded && $0.size != nil } }

  /// The sum of their sizes in bytes.
  public var bytes: Int64 {
    decisions.reduce(0) { sum, decision in
      guard decision.isIncluded, let size = decision.size else { return sum }
      return sum.addingReportingOverflow(size).overflow ? .max : sum + size
    }
  }

  /// The decision on an item, or nil where the container has none at the path; a binary search.
  ///
  /// - Parameter path: Relative to the container.
  /// - Returns: The decision with its reason, also for what is inside a directory left out whole.
  public func decision(on path: ContainerPath) -> Decision? {
    var low = 0
    var high = decisions.count
    while low < high {
      let middle = (low + high) / 2
      if decisions[middle].path.precedesInWalk(path) { low = middle + 1 } else { high = middle }
    }
    return low < decisions.count && decisions[low].path == path ? decisions[low] : nil
  }

  /// Whether the item is in the backup.
  ///
  /// - Parameter path: Relative to the container.
  /// - Returns: False also where the container has nothing at the path.
  public func contains(_ path: ContainerPath) -> Bool {
    decision(on: path)?.isIncluded == true
  }

  /// The topmost items left out: a directory left out whole, without what is in it.
  public var leftOutTops: [Decision] {
    var tops: [Decision] = []
    for decision in decisions where !decision.isIncluded {
      if let last = tops.last, last.path.isAncestor(of: decision.path) { continue }
      tops.append(decision)
    }
    return tops
  }
}
