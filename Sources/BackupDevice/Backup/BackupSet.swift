public import BackupFileTree

/// What a backup holds: a decision for every item of a container.
///
/// ```swift
/// let set = BackupSimulator(profile: profile).backUp(try container.scan())
/// set.leftOutTops.map(\.path.description)  // ["Library/Caches", "tmp"]
/// ```
public struct BackupSet: Hashable, Sendable {
  /// The decisions, a directory before what is in it, names in byte order.
  public let decisions: Decisions

  /// A set of decisions on every item of a container.
  ///
  /// - Parameter decisions: One for each item, a directory before what is in it, names in byte
  ///   order; ``decision(on:)`` relies on that order.
  public init(decisions: [Decision]) {
    self.decisions = Decisions(decisions)
  }

  /// A set of decisions on every item of a tree.
  init(_ table: DecisionTable) {
    self.decisions = Decisions(table)
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
    decisions.decision(on: path)
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

extension BackupSet {
  /// What a backup does with one item, and why.
  public struct Decision: Hashable, Sendable {
    /// Whether an item is in a backup, and why.
    @nonexhaustive
    public enum Verdict: Hashable, Sendable {
      /// In the backup; with the mark that was not honoured, where one should have kept it out.
      case included(despite: ExclusionMark)
      /// Not in the backup.
      case leftOut(BackupSet.LeftOutReason)
    }

    /// What kind of item it is, as far as a backup cares.
    @nonexhaustive
    public enum ItemKind: Hashable, Sendable {
      /// A file of a size in bytes.
      case file(size: Int64)
      /// A directory, and whether nothing is in it.
      case directory(isEmpty: Bool)
      /// A symbolic link.
      case link
      /// Anything else.
      case other
    }

    /// The item, relative to the container.
    public let path: ContainerPath
    /// What kind of item it is, a file with its size.
    public let kind: ItemKind
    /// Whether the item is in the backup, and why.
    public let verdict: Verdict

    /// A decision on an item.
    ///
    /// - Parameters:
    ///   - path: The item, relative to the container.
    ///   - kind: What the item is, a file with its size in bytes.
    ///   - verdict: In or out, and why.
    public init(path: ContainerPath, kind: ItemKind, verdict: Verdict) {
      self.path = path
      self.kind = kind
      self.verdict = verdict
    }
  }
}

extension BackupSet.Decision {
  /// Whether the item is in the backup.
  public var isIncluded: Bool {
    if case .included = verdict { true } else { false }
  }

  /// Why the item is left out; nil for one that is in.
  public var reason: BackupSet.LeftOutReason? {
    if case .leftOut(let reason) = verdict { reason } else { nil }
  }

  /// The size in bytes of a file, nil for anything else.
  public var size: Int64? {
    if case .file(let size) = kind { size } else { nil }
  }
}
