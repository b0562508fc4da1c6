import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
import BackupScenarios

/// Something the system did, or what a process printed, as the JSON report has it.
///
/// What does not apply is left out.
struct JSONEvent: Codable {
  /// The step at which it happened.
  let step: JSONStepNumber
  /// `backup`, `purge`, `updateApp`, `updateSystem`, `restore`, `offload` or `reinstall`; `output` of a
  /// process.
  let kind: String
  /// The label of the backup that was taken or restored.
  var label: String?
  /// How short storage was: `idle`, `lowStorage`, `criticalStorage`, or patterns.
  var pressure: String?
  /// The version that the app or the system was updated to.
  var version: String?
  /// The sum of the sizes of the files in a backup, or of those that a purge took.
  var bytes: Int64?
  /// The files in a backup by their class; nil where the app promised nothing of its files.
  var byClass: [String: JSONSum]?
  /// The files in a backup by the folder at the top, in Library by the one below it.
  var byFolder: [JSONFolder]?
  /// The files, links and empty directories in a backup.
  var included: [JSONItem]?
  /// The topmost items that a backup leaves out.
  var leftOut: [JSONItem]?
  /// The topmost items that a purge took.
  var taken: [JSONItem]?
  /// The files, links and empty directories that are there after an update, a restore, an offload or a
  /// reinstall.
  var present: [JSONItem]?
  /// The topmost items that an update did not carry over, a restore did not bring back, or that went
  /// with the app.
  var missing: [JSONItem]?
  /// What a process printed, on one line.
  var output: String?

  /// Something that happened; nil for what the app did.
  ///
  /// - Parameters:
  ///   - entry: What happened.
  ///   - promises: What the app promised of its files; nil for nothing.
  init?(_ entry: Transcript.Entry, _ promises: FilePromises?) {
    guard let kind = entry.event.kind else { return nil }
    self.step = JSONStepNumber(entry.step)
    self.kind = kind
    switch entry.event {
    case .backup(let backup): tell(backup, promises)
    case .purge(let pressure, let taken):
      self.pressure = pressure.description.asMessage
      self.bytes = taken.sumOfBytes
      self.taken = taken.map { JSONItem(taken: $0) }
    case .appUpdate(let version, let lost):
      self.version = version.asMessage
      tell(entry.tree, without: lost.map { JSONItem($0.path, $0.item) })
    case .systemUpdate(let version): self.version = version.description
    case .restore(let backup, let missing):
      self.label = backup.label.asMessage
      tell(
        entry.tree,
        without: missing.map {
          JSONItem($0.path, $0.item, backup.set.decision(on: $0.path)?.reason)
        })
    case .offload(let lost), .reinstall(let lost):
      tell(entry.tree, without: lost.map { JSONItem($0.path, $0.item) })
    case .output(let output): self.output = output
    default: break
    }
  }

  /// Says what a backup holds.
  private mutating func tell(_ backup: Transcript.Event.Backup, _ promises: FilePromises?) {
    let sizes = BackupSizes(of: backup.set, promises)
    label = backup.label.asMessage
    bytes = backup.set.bytes
    byClass = sizes.byClass?.mapValues(JSONSum.init)
    byFolder = sizes.byFolder.map { JSONFolder($0.folder, $0.sum) }
    included = backup.includedItems
    leftOut = backup.leftOutItems
  }

  /// Says what is there after the app came into another container, and what is not.
  private mutating func tell(_ tree: FileTree, without missing: [JSONItem]) {
    present = tree.presentItems
    self.missing = missing
  }
}

extension Transcript.Event {
  /// What a report calls it; nil for what the app did, and what no report tells.
  fileprivate var kind: String? {
    switch self {
    case .backup: "backup"
    case .purge: "purge"
    case .appUpdate: "updateApp"
    case .systemUpdate: "updateSystem"
    case .restore: "restore"
    case .offload: "offload"
    case .reinstall: "reinstall"
    case .output: "output"
    case .changes, .markOnMissing, .markUnavailable, .read, .readMissing, .writeToMissing,
      .foundOwnRemnant, .staleURL, .staleLink, .storedPath, .launch, .killed, .place:
      nil
    }
  }
}

/// How many files there are, and how many bytes they have together.
struct JSONSum: Codable {
  let files: Int
  let bytes: Int64

  init(_ sum: FileSum) {
    self.files = sum.files
    self.bytes = sum.bytes
  }
}

/// The files of a backup that are in a folder.
struct JSONFolder: Codable {
  /// The folder; `.` for what is in none.
  let path: String
  let files: Int
  let bytes: Int64

  /// The files in a folder; nil for those in none.
  init(_ folder: ContainerPath?, _ sum: FileSum) {
    self.path = folder?.description ?? "."
    self.files = sum.files
    self.bytes = sum.bytes
  }
}

extension Transcript.Event.Backup {
  /// Its files, links and empty directories.
  fileprivate var includedItems: [JSONItem] {
    self.set.included.compactMap { decision in
      guard decision.kind != .directory(isEmpty: false), let item = tree[decision.path] else {
        return nil
      }
      return JSONItem(decision.path, item)
    }
  }

  /// The topmost items that it leaves out, each with the reason.
  fileprivate var leftOutItems: [JSONItem] {
    self.set.leftOutTops.compactMap { decision in
      tree[decision.path].map { JSONItem(decision.path, $0, decision.reason) }
    }
  }
}

extension FileTree {
  /// Its files, links and empty directories.
  fileprivate var presentItems: [JSONItem] {
    var items: [JSONItem] = []
    walk { path, item in
      if !item.isDirectory || item.children.isEmpty { items.append(JSONItem(path, item)) }
      return true
    }
    return items
  }
}
