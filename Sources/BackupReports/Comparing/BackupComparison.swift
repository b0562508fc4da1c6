package import BackupDevice
import BackupDiagnostics
package import BackupFileTree
package import BackupFolders
import BackupVerdicts

/// A comparison of a real backup of an app with the kit's prediction for the app's containers.
package struct BackupComparison: Sendable {
  package struct Difference: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case missing
      /// The item is in the backup, but the prediction excludes it for this reason.
      case unexpected(BackupSet.LeftOutReason)
      /// The item is in the backup, but not in the container. The prediction does not exclude it.
      case notInContainer
      /// The item is in the backup and in the container, but its kind or its size differs.
      case different(seen: BackupRecord.Kind, expected: BackupRecord.Kind)
      /// The item is in the manifest, but the folder lacks its contents, or has something else in
      /// their place.
      case withoutContents(BackupContents.Substitute)
    }

    package let path: ContainerPath
    package let kind: Kind
  }

  /// The differences, each directory before its contents.
  package private(set) var differences: [Difference] = []
  /// The topmost items that the backup excludes as predicted, each with the reason.
  package private(set) var predictedExclusions: [BackupSet.Decision] = []
  /// The items of the containers, and the items that only the backup contains.
  private(set) var tree = FileTree()
  /// The number of items that are in the backup as predicted.
  package private(set) var agreeingItemCount = 0
  package let contents: BackupContents
  package let profile: SystemProfile
  /// The domains with a container to compare. For the other domains, the kit knows only the items
  /// in the backup.
  package let examinedDomains: Set<BackupDomain>
  /// A description of the device and the backup; empty if unknown.
  package var title = ""
  package var remarks: [String] = []
  package let domains: [BackupDomain]

  /// Compares a backup with the prediction for a tree. In domains that are not in
  /// `examinedDomains`, compares only the items in the backup.
  package init(
    _ contents: BackupContents, with tree: FileTree, domains: [BackupDomain],
    examined examinedDomains: Set<BackupDomain>, on profile: SystemProfile
  ) {
    var contents = contents
    var fullTree = tree
    for domain in domains {
      for listPath in ContainerList.allPaths.map({
        ContainerPath($0, inContainer: domain.container)
      }) {
        contents.records[listPath] = nil
        contents.filesWithoutContents[listPath] = nil
        fullTree.remove(listPath)
      }
    }
    self.contents = contents
    self.profile = profile
    self.domains = domains
    self.examinedDomains = examinedDomains
    let backupOnlyPaths = fullTree.insertMissingItems(of: contents.records)
    self.tree = fullTree
    let backupSet = BackupSimulator(profile: profile, backups: .local).backUp(fullTree)
    compare(backupSet, backupOnlyPaths: backupOnlyPaths)
    for path in contents.records.keys where backupSet.decision(on: path) == nil {
      addDifference(.notInContainer, at: path)
    }
    addMissingContents()
    differences.sort { $0.path.precedesInWalk($1.path) }
  }

  /// Compares the backup with the predicted decisions. If only the backup contains an item, the
  /// prediction depends on the item's place, name and marks.
  private mutating func compare(_ backupSet: BackupSet, backupOnlyPaths: Set<ContainerPath>) {
    let comparedContainers = Set(domains.map(\.container))
    let examinedContainers = Set(examinedDomains.map(\.container))
    var lastExcludedPath: ContainerPath?
    for decision in backupSet.decisions
    where comparedContainers.contains(decision.path.containerName) {
      let record = contents.records[decision.path]
      let isBackupOnly = backupOnlyPaths.contains(decision.path)
      if record == nil, isBackupOnly { continue }
      if let reason = decision.reason {
        if record != nil { addDifference(.unexpected(reason), at: decision.path) }
        if lastExcludedPath?.isAncestor(of: decision.path) != true {
          lastExcludedPath = decision.path
          if record == nil { predictedExclusions.append(decision) }
        }
      } else if isBackupOnly, examinedContainers.contains(decision.path.containerName) {
        addDifference(.notInContainer, at: decision.path)
      } else if let record, let item = tree[decision.path] {
        switch BackupRecord.Kind(item.kind) {
        case nil: addDifference(.notInContainer, at: decision.path)
        case record.kind: agreeingItemCount += 1
        case _ where isDatabaseOfAnySize(record, item, at: decision.path): agreeingItemCount += 1
        case let expected?:
          addDifference(.different(seen: record.kind, expected: expected), at: decision.path)
        }
      } else {
        addDifference(.missing, at: decision.path)
      }
    }
  }

  /// Adds a difference for each file whose contents are not in the folder.
  ///
  /// A database may have another size. Encrypted contents are no difference, because the kit does
  /// not compare them.
  private mutating func addMissingContents() {
    for (path, substitute) in contents.filesWithoutContents where substitute != .encrypted {
      if case .fileOfSize = substitute, let record = contents.records[path], let item = tree[path],
        isDatabaseOfAnySize(record, item, at: path)
      {
        continue
      }
      addDifference(.withoutContents(substitute), at: path)
    }
  }

  /// Returns whether the item is a database whose size may differ, because a backup stores files
  /// such as `-wal` as part of the database.
  private func isDatabaseOfAnySize(
    _ record: BackupRecord, _ item: FileTree.Item, at path: ContainerPath
  ) -> Bool {
    guard record.isFile, case .file(let information) = item.kind else { return false }
    let policy = profile.backupPolicy(for: SystemProfile.ContainerKind(of: path))
    return information.isDatabase && policy.storesDatabasesWhole.value
  }

  private mutating func addDifference(_ kind: Difference.Kind, at path: ContainerPath) {
    differences.append(Difference(path: path, kind: kind))
  }

  /// The first item that the kit could not read in its container, with the reason. Nil if the kit
  /// could read all items.
  ///
  /// The kit cannot predict whether such an item is in the backup.
  package var firstUnreadableItem: (path: ContainerPath, reason: String)? {
    let pathsAndReasons =
      differences.map { ($0.path, $0.kind.reason) }
      + predictedExclusions.map { ($0.path, $0.reason) }
    for (path, reason) in pathsAndReasons {
      if case .unreadable(let message)? = reason { return (path, message) }
    }
    return nil
  }

  package var hasNoItems: Bool { agreeingItemCount == 0 && predictedExclusions.isEmpty && isClean }

  package var isClean: Bool { differences.isEmpty && contents.faults.isEmpty }

  package var text: String {
    let differencesByPosition = Dictionary(grouping: differences, by: \.kind.facts.position)
    let sections =
      differencesByPosition.sorted { $0.key < $1.key }.map { _, group in
        group.map { "\($0.path)\($0.kind.detail)".asMessage }.section(group[0].kind.facts.title)
      } + [
        faultLines.section("wrong in the manifest"),
        predictedExclusionLines.section("excluded, as predicted", count: predictedExclusions.count),
      ]
    return "\(title)\n" + sections.joined() + notes.map { "\($0)\n" }.joined() + "\(summary)\n"
  }

  private static let maximumNamedItems = 20

  /// The lines for the items that are excluded as predicted. The items in a state share a line, but
  /// each item in the state `other` has its own line with the reason.
  private var predictedExclusionLines: [String] {
    ItemState.allCases.flatMap { state -> [String] in
      let items = predictedExclusions.filter { ItemState($0.verdict) == state }
      if state == .other {
        return items.map { "\($0.path): \($0.reason?.comparisonPhrase ?? "")".asMessage }
      }
      let pathList = Self.shortList(items.map(\.path.description))
      return items.isEmpty ? [] : ["\(state.phrase): \(pathList)".asMessage]
    }
  }

  /// Returns a list of at most 20 names, and the number of the others.
  private static func shortList(_ names: [String]) -> String {
    let othersPhrase =
      names.count > maximumNamedItems ? " and \(names.count - maximumNamedItems) more" : ""
    return names.prefix(maximumNamedItems).joined(separator: ", ") + othersPhrase
  }

  private var faults: [(fault: BackupContents.Fault, count: Int, first: String)] {
    BackupContents.Fault.allCases.compactMap { fault in
      contents.faults[fault].map { (fault, $0.count, $0.first) }
    }
  }

  var faultLines: [String] {
    faults.map { "\($0.count.counted("row")): \($0.first) \($0.fault.rawValue)".asMessage }
  }

  package var notes: [String] {
    var notes = remarks
    let unexaminedDomains = domains.filter { !examinedDomains.contains($0) }
    if !unexaminedDomains.isEmpty {
      notes.append(
        "No container of \(unexaminedDomains.map(\.identifier).joinedInWords) was given, so items in the "
          + "backup are judged only by place and name, and missing items are not noticed. To compare "
          + "everything, add \(unexaminedDomains.map(\.containerOption).joinedInWords).")
    }
    let missingIdentifiers = domains.filter { !contents.domains.contains($0) }.map(\.identifier)
    if !missingIdentifiers.isEmpty {
      notes.append("The backup contains nothing of \(missingIdentifiers.joinedInWords).")
    }
    // List the groups of the app's developer first.
    let app = domains.first?.identifier ?? ""
    let developerPrefix = app.split(separator: ".").prefix(2).joined(separator: ".")
    let groups = contents.otherGroups.sorted()
    if !groups.isEmpty {
      let orderedGroups =
        groups.filter { $0.contains(developerPrefix) }
        + groups.filter { !$0.contains(developerPrefix) }
      notes.append(
        "These groups in the backup were not compared: \(Self.shortList(orderedGroups)). If the app uses one, "
          + "name it with --group.")
    }
    return notes
  }

  var summary: String {
    let rulesPhrase = "by the rules of iOS \(profile.version)"
    let faultyRowCount = faults.reduce(0) { $0 + $1.count }
    let faultyRowsPhrase =
      faultyRowCount > 0 ? ", \(faultyRowCount.counted("row")) with a fault" : ""
    return "\(agreeingItemCount.counted("item")) in the backup as predicted, "
      + "\(predictedExclusions.count) excluded as predicted, "
      + "\(differences.count.counted("difference"))\(faultyRowsPhrase), \(rulesPhrase)"
  }

  /// The comparison as JSON. Members that do not apply are missing.
  package var json: JSONValue {
    [
      "format": .number(1), "system": .string(profile.version.description),
      "agreeing": .number(agreeingItemCount), "differences": .array(differences.map(\.json)),
      "leftOut": .array(
        predictedExclusions.map {
          [
            "path": .string($0.path.description), "outcome": .string("out-in-both"),
            "reason": $0.reason.map { .string($0.word) },
          ]
        }),
      "faults": .array(
        faults.map {
          ["kind": .string("\($0.fault)"), "count": .number($0.count), "first": .string($0.first)]
        }),
      "notes": .strings(notes),
    ]
  }
}

extension [String] {
  /// Returns a section of a report: the title with the number of lines, or with `count`, and the
  /// lines. Returns an empty text if there are no lines.
  func section(_ title: String, count: Int? = nil) -> String {
    isEmpty ? "" : "\(title) (\(count ?? self.count)):\n" + map { "  \($0)\n" }.joined()
  }
}

extension FileTree {
  /// Inserts the items that only the backup contains, and the directories above them. Skips an item
  /// below something that is not a directory.
  ///
  /// - Returns: The paths of all inserted items.
  fileprivate mutating func insertMissingItems(
    of records: [ContainerPath: BackupRecord]
  ) -> Set<ContainerPath> {
    var insertedPaths: Set<ContainerPath> = []
    let missingRecords = records.filter { self[$0.key] == nil }
    for (path, record) in missingRecords.sorted(by: { $0.key.precedesInWalk($1.key) })
    where path.ancestors.allSatisfy({ self[$0]?.isDirectory != false }) {
      insertedPaths.formUnion((path.ancestors + [path]).filter { self[$0] == nil })
      if let parent = path.ancestors.last { ensureDirectory(parent) }
      insert(record.treeItem, at: path)
    }
    return insertedPaths
  }
}

extension BackupRecord.Kind: CustomStringConvertible {
  /// A phrase for the kind, such as `a file of 10 bytes` or `a directory`.
  package var description: String {
    switch self {
    case .file(let size): "a file of \(size.formattedExactSize)"
    case .directory: "a directory"
    case .link(let target): "a link to \(EscapedText.escape(target))"
    }
  }
}

extension BackupComparison.Difference {
  fileprivate var json: JSONValue {
    let (seen, predicted): (String?, String?) =
      switch kind {
      case .different(let seen, let expected): (seen.description, expected.description)
      case .withoutContents(let substitute): (substitute.description, nil)
      case .missing, .unexpected, .notInContainer: (nil, nil)
      }
    return [
      "path": .string(path.description), "outcome": .string(kind.word),
      "reason": kind.reason.map { .string($0.word) }, "seen": seen.map { .string($0) },
      "predicted": predicted.map { .string($0) },
    ]
  }
}

extension BackupComparison.Difference.Kind {
  /// The position of the difference in a report, its word in JSON, and its title.
  var facts: (position: Int, word: String, title: String) {
    switch self {
    case .missing: (0, "predicted-in", "predicted to be in the backup, but missing from it")
    case .unexpected: (1, "predicted-out", "in the backup, but predicted to be excluded")
    case .notInContainer: (2, "not-in-container", "in the backup, but not in the container")
    case .different: (3, "unlike", "different in the backup and in the container")
    case .withoutContents:
      (4, "without-contents", "listed in the manifest, but without its contents in the folder")
    }
  }

  package var word: String { facts.word }

  /// The reason why the prediction excludes an item that is in the backup. Nil for any other kind
  /// of difference.
  var reason: BackupSet.LeftOutReason? {
    if case .unexpected(let reason) = self { reason } else { nil }
  }

  /// The text after the item's path in a report.
  fileprivate var detail: String {
    switch self {
    case .missing, .notInContainer: ""
    case .unexpected(let reason): ": \(reason.comparisonPhrase)"
    case .different(let seen, let expected): ": \(seen) in the backup, \(expected) in the container"
    case .withoutContents(let substitute): ": \(substitute)"
    }
  }
}

extension BackupSet.LeftOutReason {
  /// The same as `phrase`, but with other words for marks, long paths and special files.
  fileprivate var comparisonPhrase: String {
    switch self {
    case .ownMark: "it is marked"
    case .markedDirectory(let path): "\(path) is marked"
    case .pathTooLong(let bytes):
      "its path on the device has \(bytes) bytes, more than iOS backs up"
    case .specialFile: "it is not a file, a directory or a link"
    default: phrase
    }
  }
}

extension BackupDomain {
  fileprivate var containerOption: String {
    guard let container else { return "--container PATH" }
    return "\(container.isGroup ? "--group" : "--extension") \(identifier)=PATH"
  }
}
