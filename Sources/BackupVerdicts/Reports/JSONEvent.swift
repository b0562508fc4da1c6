import BackupDevice
import BackupFileTree
import BackupScenarios

/// Something the system did, or what a process printed, as the JSON report has it.
///
/// What does not apply is left out.
struct JSONEvent: Codable {
  /// The step at which it happened.
  let step: JSONStepNumber
  /// `backup`, `purge`, `updateApp`, `updateSystem` or `restore`; `output` of a process.
  let kind: String
  /// The label of the backup that was taken or restored.
  var label: String?
  /// How short storage was: `idle`, `lowStorage`, `criticalStorage`, or patterns.
  var pressure: String?
  /// The version that the app or the system was updated to.
  var version: String?
  /// The sum of the sizes of the files in a backup, or of those that a purge took.
  var bytes: Int64?
  /// The files, links and empty directories in a backup.
  var included: [Item]?
  /// The topmost items that a backup leaves out.
  var leftOut: [LeftOutItem]?
  /// The topmost items that a purge took.
  var taken: [Item]?
  /// The files, links and empty directories that are there after an update or restore.
  var present: [Item]?
  /// The topmost items that an update did not carry over, or a restore did not bring back.
  var missing: [LeftOutItem]?
  /// What a process printed, on one line.
  var output: String?

  /// An item that is there, or was.
  struct Item: Codable {
    /// Its path in the container.
    let path: String
    /// The size of a file in bytes; with all in it for a directory that was taken.
    var size: Int64?
  }

  /// An item that is not there.
  struct LeftOutItem: Codable {
    /// Its path in the container.
    let path: String
    /// Why, in a word; left out where the system took it on its own.
    var reason: String?
    /// The item that decided, where it is another.
    var decidedBy: String?
  }

  /// Something that happened; nil for what the app did.
  init?(_ entry: Transcript.Entry) {
    self.step = JSONStepNumber(entry.step)
    switch entry.event {
    case .backup(let backup):
      self.kind = "backup"
      self.label = backup.label
      self.bytes = backup.set.bytes
      self.included = backup.set.includedItems
      self.leftOut = backup.set.leftOutTops.map { LeftOutItem($0.path, $0.reason) }
    case .purge(let pressure, let taken):
      self.kind = "purge"
      self.pressure = pressure.description
      self.bytes = taken.reduce(0) { $0 + $1.bytes }
      self.taken = taken.map { Item(path: $0.path.description, size: $0.bytes) }
    case .appUpdate(let version, let lost):
      self.kind = "updateApp"
      self.version = version
      self.present = entry.tree.presentItems
      self.missing = lost.map { LeftOutItem($0.path, nil) }
    case .systemUpdate(let version):
      self.kind = "updateSystem"
      self.version = version.description
    case .restore(let backup, let missing):
      self.kind = "restore"
      self.label = backup.label
      self.present = entry.tree.presentItems
      self.missing = missing.map {
        LeftOutItem($0.path, backup.set.decision(on: $0.path)?.reason)
      }
    case .output(let output):
      self.kind = "output"
      self.output = output
    case .changes, .markOnMissing, .markUnavailable, .readMissing, .writeToMissing, .staleURL,
      .launch:
      return nil
    }
  }
}

extension JSONEvent.LeftOutItem {
  /// An item with the reason, if any.
  fileprivate init(_ path: ContainerPath, _ reason: BackupSet.LeftOutReason?) {
    self.path = path.description
    self.reason = reason?.word
    self.decidedBy = reason?.decidingItem.flatMap { $0 == path ? nil : $0.description }
  }
}

extension BackupSet {
  /// Its files, links and empty directories.
  fileprivate var includedItems: [JSONEvent.Item] {
    included.compactMap { decision in
      if case .directory(isEmpty: false) = decision.kind { return nil }
      return JSONEvent.Item(path: decision.path.description, size: decision.size)
    }
  }
}

extension FileTree {
  /// Its files, links and empty directories.
  fileprivate var presentItems: [JSONEvent.Item] {
    var items: [JSONEvent.Item] = []
    walk { path, item in
      if !item.isDirectory || item.children.isEmpty {
        items.append(JSONEvent.Item(path: path.description, size: item.size))
      }
      return true
    }
    return items
  }
}
