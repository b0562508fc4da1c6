import BackupDiagnostics
public import BackupFileTree

/// What a backup holds: a decision for every item of a container.
///
/// ```swift
/// let set = BackupSimulator(profile: profile).backUp(try container.scan())
/// set.leftOutTops.map(\.path.description)  // ["Library/Caches", "tmp"]
/// ```
public struct BackupSet: Hashable, Sendable, CustomStringConvertible {
  /// The decisions, a directory before what is in it, names in byte order.
  public let decisions: Decisions

  /// A set of decisions on every item of a container.
  ///
  /// - Parameter decisions: One for each item, a directory before what is in it, names in byte
  ///   order; ``decision(on:)`` relies on that order.
  public init(decisions: [Decision]) {
    self.decisions = Decisions(decisions)
  }

  init(_ table: DecisionTable) {
    self.decisions = Decisions(table)
  }

  /// The items in the backup.
  public var included: [Decision] { decisions.filter(\.isIncluded) }

  /// The items not in the backup, those inside a directory left out whole too.
  public var leftOut: [Decision] { decisions.filter { !$0.isIncluded } }

  /// How many files the backup holds.
  public var fileCount: Int {
    var count = 0
    decisions.forEachItem { _, _, _, kind, verdict in
      if case (.file, .included) = (kind, verdict) { count += 1 }
    }
    return count
  }

  /// The sum of their sizes in bytes.
  public var bytes: Int64 {
    var sum: Int64 = 0
    decisions.forEachItem { _, _, _, kind, verdict in
      guard case (.file(let size), .included) = (kind, verdict) else { return }
      sum = sum.addingReportingOverflow(size).overflow ? .max : sum + size
    }
    return sum
  }

  /// The decision on an item, or nil if the container has none at the path; a binary search.
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
    decisions.forEachItem { directory, name, _, kind, verdict in
      guard case .leftOut = verdict else { return }
      let path = ContainerPath(name, in: directory)
      if let last = tops.last, last.path.isAncestor(of: path) { return }
      tops.append(Decision(path: path, kind: kind, verdict: verdict))
    }
    return tops
  }

  /// What a backup does with one item, and why.
  public struct Decision: Hashable, Sendable {
    /// Whether an item is in a backup, and why.
    @nonexhaustive
    public enum Verdict: Hashable, Sendable {
      /// In the backup; with the mark that was not honoured, where one should have kept it out.
      case included(despite: ExclusionMark)
      case leftOut(BackupSet.LeftOutReason)
    }

    /// What kind of item it is, as far as a backup cares.
    @nonexhaustive
    public enum ItemKind: Hashable, Sendable {
      /// A file of a size in bytes.
      case file(size: Int64)
      /// A directory, and whether nothing is in it.
      case directory(isEmpty: Bool)
      case link
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

  /// The decisions of a backup, a directory before what is in it, names in byte order.
  ///
  /// Each is made when it is asked for: a backup of a million items takes little more memory than
  /// their tree. Two collections are equal where their decisions are, however they came about.
  ///
  /// ```swift
  /// set.decisions.filter { $0.reason == .saveRemnant }.map(\.path.description)  // []
  /// ```
  public struct Decisions: Sendable {
    /// A tree that was decided on; nil for a list.
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

    /// The decision on an item, or nil if there was no such item; a binary search.
    func decision(on path: ContainerPath) -> Decision? {
      if let table { table.decision(on: path) } else { list.element(at: path, by: \.path) }
    }
  }

  package var leftOutReasons: [ContainerPath: LeftOutReason] {
    var reasons: [ContainerPath: LeftOutReason] = [:]
    decisions.forEachItem { directory, name, _, _, verdict in
      guard case .leftOut(let reason) = verdict else { return }
      reasons[ContainerPath(name, in: directory)] = reason
    }
    return reasons
  }

  /// The write-ahead logs that are left out, by the databases whose newest changes they hold.
  package var writeAheadLogs: [ContainerPath: ContainerPath] {
    var logs: [ContainerPath: ContainerPath] = [:]
    for decision in leftOut where decision.path.name.hasSuffix("-wal") {
      guard case .databaseSibling(of: let database)? = decision.reason else { continue }
      logs[database] = decision.path
    }
    return logs
  }

  /// How much there is, then a line for each file and link in the backup and for each item left
  /// out, with the reason; of a directory left out whole just the directory.
  public var description: String {
    let lines = included.filter(\.isLeaf) + leftOutTops
    let head = "backup of \(fileCount.counted("file")), \(bytes.formattedSize):"
    return ([head] + lines.map(\.description)).joined(separator: "\n")
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

extension BackupSet.Decisions: RandomAccessCollection, Hashable, CustomStringConvertible {
  /// What takes decisions: the directory that an item is right in, nil for the container, its name
  /// there, how many components its path has, what it is, and what the backup does with it.
  package typealias Visitor = (
    ContainerPath?, ContainerPath.Component, Int, BackupSet.Decision.ItemKind,
    BackupSet.Decision.Verdict
  ) -> Void

  /// Calls `visit` for each decision in turn, and makes no path for it where it is one on a tree.
  package func forEachItem(_ visit: Visitor) {
    table?.forEachItem(visit)
    for one in list {
      visit(one.path.parent, one.path.name, one.path.components.count, one.kind, one.verdict)
    }
  }

  /// An iterator that stands before the first decision, and goes on in time linear in their number.
  public func makeIterator() -> AnyIterator<BackupSet.Decision> {
    if let table {
      AnyIterator(DecisionTable.Iterator(table))
    } else {
      AnyIterator(list.makeIterator())
    }
  }

  /// The position of the first decision, 0.
  public var startIndex: Int { 0 }

  /// The position after the last decision, their number.
  public var endIndex: Int { table?.count ?? list.count }

  /// The decision at a position; of a backup's own, found by a binary search.
  ///
  /// - Parameter position: At least 0 and less than ``count``.
  public subscript(position: Int) -> BackupSet.Decision {
    precondition(indices.contains(position), "there is no decision \(position)")
    return table?[position] ?? list[position]
  }

  /// Whether both decide the same on the same items.
  public static func == (left: BackupSet.Decisions, right: BackupSet.Decisions) -> Bool {
    left.count == right.count && left.elementsEqual(right)
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for decision in self { hasher.combine(decision) }
  }

  /// A line for each item, those in directories that are left out whole too.
  public var description: String { map(\.description).joined(separator: "\n") }
}

extension BackupSet.Decision: CustomStringConvertible, CustomDebugStringConvertible {
  /// `+ Documents/a.txt  10` for a file in the backup, `- Library/Caches  location` for what is
  /// left out.
  public var description: String {
    if let reason { return "- \(path)  \(reason)" }
    return "+ \(path)\(size.map { "  \($0)" } ?? "")"
  }

  /// The same on a line of its own, as a list has it.
  public var debugDescription: String { "\n  \(description)" }

  /// Whether it is on a file or a link.
  package var isLeaf: Bool {
    switch kind {
    case .file, .link: true
    case .directory, .other: false
    }
  }
}
