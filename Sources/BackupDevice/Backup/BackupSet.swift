import BackupDiagnostics
public import BackupFileTree

/// The contents of a backup: a decision for every item of a container.
///
/// ```swift
/// let set = BackupSimulator(profile: profile).backUp(try container.scan())
/// set.leftOutTops.map(\.path.description)  // ["Library/Caches", "tmp"]
/// ```
public struct BackupSet: Hashable, Sendable, CustomStringConvertible {
  /// The decisions. A directory comes before the items in it, and names are in byte order.
  public let decisions: Decisions

  /// Creates a set of decisions.
  ///
  /// - Parameter decisions: One decision for each item of the container. A directory comes before
  ///   the items in it, and names are in byte order; ``decision(on:)`` relies on this order.
  public init(decisions: [Decision]) {
    self.decisions = Decisions(decisions)
  }

  init(_ table: DecisionTable) {
    self.decisions = Decisions(table)
  }

  /// The items in the backup.
  public var included: [Decision] { decisions.filter(\.isIncluded) }

  /// The items that are not in the backup, including all items in left-out directories.
  public var leftOut: [Decision] { decisions.filter { !$0.isIncluded } }

  /// The number of files in the backup.
  public var fileCount: Int {
    var count = 0
    decisions.forEachItem { _, _, _, kind, verdict in
      if case (.file, .included) = (kind, verdict) { count += 1 }
    }
    return count
  }

  /// The total size of the files in the backup in bytes, at most `Int64.max`.
  public var bytes: Int64 {
    var sum: Int64 = 0
    decisions.forEachItem { _, _, _, kind, verdict in
      guard case (.file(let size), .included) = (kind, verdict) else { return }
      sum = sum.addingReportingOverflow(size).overflow ? .max : sum + size
    }
    return sum
  }

  /// Returns the decision on an item, or nil if the container has no such item. The item is found
  /// by a binary search.
  ///
  /// - Parameter path: The path of the item, relative to the container.
  /// - Returns: The decision with its reason, also for an item in a directory that is left out.
  public func decision(on path: ContainerPath) -> Decision? {
    decisions.decision(on: path)
  }

  /// Returns whether the item is in the backup.
  ///
  /// - Parameter path: The path of the item, relative to the container.
  /// - Returns: True if the item is in the backup; false if it is not, or if it does not exist.
  public func contains(_ path: ContainerPath) -> Bool {
    decision(on: path)?.isIncluded == true
  }

  /// The items that are not in the backup, without the items in left-out directories.
  ///
  /// For example, `Library/Caches` stands for all items in it.
  public var leftOutTops: [Decision] {
    var topItems: [Decision] = []
    decisions.forEachItem { directory, name, _, kind, verdict in
      guard case .leftOut = verdict else { return }
      let path = ContainerPath(name, in: directory)
      if let last = topItems.last, last.path.isAncestor(of: path) { return }
      topItems.append(Decision(path: path, kind: kind, verdict: verdict))
    }
    return topItems
  }

  /// The decision of a backup on one item, with the reason.
  public struct Decision: Hashable, Sendable {
    /// The outcome: the item is in the backup, or it is left out for a reason.
    @nonexhaustive
    public enum Verdict: Hashable, Sendable {
      /// The item is in the backup although it has these marks.
      ///
      /// The marks are empty, unless the system ignores marks that it normally honors.
      case included(despite: ExclusionMark)
      case leftOut(BackupSet.LeftOutReason)
    }

    /// The kinds of items that a backup distinguishes.
    @nonexhaustive
    public enum ItemKind: Hashable, Sendable {
      /// A file with its size in bytes.
      case file(size: Int64)
      /// A directory, which may be empty.
      case directory(isEmpty: Bool)
      case link
      case other
    }

    /// The path of the item, relative to the container.
    public let path: ContainerPath
    /// The kind of the item, with the size of a file.
    public let kind: ItemKind
    /// The outcome: in the backup, or left out for a reason.
    public let verdict: Verdict

    /// Creates a decision on an item.
    ///
    /// - Parameters:
    ///   - path: The path of the item, relative to the container.
    ///   - kind: The kind of the item, with the size of a file in bytes.
    ///   - verdict: In the backup, or left out for a reason.
    public init(path: ContainerPath, kind: ItemKind, verdict: Verdict) {
      self.path = path
      self.kind = kind
      self.verdict = verdict
    }
  }

  /// The decisions of a backup. A directory comes before the items in it, and names are in byte
  /// order.
  ///
  /// The collection creates a decision only when you access it. A backup of a million items thus
  /// takes little more memory than the tree. Two collections with equal decisions are equal, also
  /// if only one of the two was created from a list.
  ///
  /// ```swift
  /// set.decisions.filter { $0.reason == .saveRemnant }.map(\.path.description)  // []
  /// ```
  public struct Decisions: Sendable {
    /// The decisions on a tree, or nil if `list` has the decisions.
    private let table: DecisionTable?
    private let list: [Decision]

    init(_ list: [Decision]) {
      self.table = nil
      self.list = list
    }

    init(_ table: DecisionTable) {
      self.table = table
      self.list = []
    }

    func decision(on path: ContainerPath) -> Decision? {
      if let table { table.decision(on: path) } else { list.element(at: path, by: \.path) }
    }
  }

  /// The reason for each left-out item.
  package var leftOutReasons: [ContainerPath: LeftOutReason] {
    var reasons: [ContainerPath: LeftOutReason] = [:]
    decisions.forEachItem { directory, name, _, _, verdict in
      guard case .leftOut(let reason) = verdict else { return }
      reasons[ContainerPath(name, in: directory)] = reason
    }
    return reasons
  }

  /// The left-out write-ahead log of each database: `a.sqlite-wal` for the key `a.sqlite`.
  package var writeAheadLogs: [ContainerPath: ContainerPath] {
    var logs: [ContainerPath: ContainerPath] = [:]
    for decision in leftOut where decision.path.name.hasSuffix("-wal") {
      guard case .databaseSibling(of: let database)? = decision.reason else { continue }
      logs[database] = decision.path
    }
    return logs
  }

  /// The number and size of the files, followed by a line for each file and link in the backup.
  /// The last lines are the items of ``leftOutTops``, each with its reason.
  public var description: String {
    let lines = included.filter(\.isFileOrLink) + leftOutTops
    let heading = "backup of \(fileCount.counted("file")), \(bytes.formattedSize):"
    return ([heading] + lines.map { "  \($0)" }).joined(separator: "\n")
  }
}

extension BackupSet.Decision {
  /// A Boolean value that indicates whether the item is in the backup.
  public var isIncluded: Bool {
    if case .included = verdict { true } else { false }
  }

  /// The reason why the item is left out, or nil if it is in the backup.
  public var reason: BackupSet.LeftOutReason? {
    if case .leftOut(let reason) = verdict { reason } else { nil }
  }

  /// The size of a file in bytes, or nil for any other item.
  public var size: Int64? {
    if case .file(let size) = kind { size } else { nil }
  }
}

extension BackupSet.Decisions: RandomAccessCollection, Hashable, CustomStringConvertible {
  /// A function that receives a decision as five values: the item's directory (nil for the
  /// container), its name, the number of components in its path, its kind and the verdict.
  package typealias Visitor = (
    ContainerPath?, ContainerPath.Component, Int, BackupSet.Decision.ItemKind,
    BackupSet.Decision.Verdict
  ) -> Void

  /// Calls `visit` for each decision in order. An iterator creates the path of each item; this
  /// method does not.
  package func forEachItem(_ visit: Visitor) {
    table?.forEachItem(visit)
    for decision in list {
      visit(
        decision.path.parent, decision.path.name, decision.path.components.count, decision.kind,
        decision.verdict)
    }
  }

  /// Returns an iterator over the decisions. A whole iteration takes linear time.
  public func makeIterator() -> AnyIterator<BackupSet.Decision> {
    if let table {
      AnyIterator(DecisionTable.Iterator(table))
    } else {
      AnyIterator(list.makeIterator())
    }
  }

  /// The position of the first decision, which is 0.
  public var startIndex: Int { 0 }

  /// The position after the last decision, which is the number of decisions.
  public var endIndex: Int { table?.count ?? list.count }

  /// The decision at a position. If the decisions are on a tree, this is a binary search.
  ///
  /// - Parameter position: At least 0 and less than ``count``.
  public subscript(position: Int) -> BackupSet.Decision {
    precondition(indices.contains(position), "there is no decision \(position)")
    return table?[position] ?? list[position]
  }

  /// Returns whether both collections contain the same decisions in the same order.
  public static func == (left: BackupSet.Decisions, right: BackupSet.Decisions) -> Bool {
    left.count == right.count && left.elementsEqual(right)
  }

  /// Hashes the values that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for decision in self { hasher.combine(decision) }
  }

  /// A line for each item, also for each item in a left-out directory.
  public var description: String { map(\.description).joined(separator: "\n") }
}

extension BackupSet.Decision: CustomStringConvertible, CustomDebugStringConvertible {
  /// `in   Documents/a.txt  10 bytes` for a file in the backup, and
  /// `out  Library/Caches  (location)` for a left-out item.
  public var description: String {
    if let reason { return "out  \(path)  (\(reason))" }
    return "in   \(path)\(size.map { "  \(Int($0).counted("byte"))" } ?? "")"
  }

  /// The description on a new line, so that a printed array has one line for each decision.
  public var debugDescription: String { "\n  \(description)" }

  package var isFileOrLink: Bool {
    switch kind {
    case .file, .link: true
    case .directory, .other: false
    }
  }
}
