import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
import BackupScenarios

extension OutputFormat<Inspection> {
  /// JSON for other programs: the sums, the findings, and every item.
  static var json: OutputFormat { json { InspectionJSON($0) } }
}

/// An inspection as its JSON has it.
struct InspectionJSON: Codable {
  /// The version of this shape.
  var format = 1
  /// The container, as it was named to the tool.
  let container: String
  /// The app's bundle identifier; left out where it is not known.
  let app: String?
  /// The version of iOS that backs up.
  let system: String
  /// The files by what the backup does with them: `in`, `mark`, `place`, `other`.
  let totals: [String: JSONSum]
  /// The same in each directory of up to three components that has files, the largest first.
  let folders: [Folder]
  /// The same of each class; left out where no class is known.
  let classes: [String: [String: JSONSum]]?
  /// How much of each limit is used; left out where there is none.
  let budgets: [BudgetUse]?
  let findings: [JSONFinding]
  /// What else a reader has to know.
  let notes: [String]
  /// Every item, a directory before what is in it.
  let items: [Item]

  /// The files in a directory.
  struct Folder: Codable {
    let path: String
    /// How many bytes its files have.
    let bytes: Int64
    /// The files by what the backup does with them.
    let states: [String: JSONSum]
  }

  /// An item of the container.
  struct Item: Codable {
    /// Its path in the container.
    let path: String
    let kind: String
    /// The size in bytes of a file.
    let size: Int64?
    /// What a link points to.
    let target: String?
    /// `in`, `mark`, `place` or `other`.
    let state: String
    /// Why it is left out, in a word.
    let reason: String?
    /// The item that decided that, where it is another.
    let decidedBy: String?
    /// Why it is in or out, in words.
    let why: String
    /// Its class; left out where it has none.
    let dataClass: String?

    enum CodingKeys: String, CodingKey {
      case path, kind, size, target, state, reason, decidedBy, why
      case dataClass = "class"
    }
  }

  /// The report of an inspection.
  init(_ inspection: Inspection) {
    let tally = inspection.tally
    let classes = tally.classesInOrder.map { ($0.name, $0.sums.inJSON) }
    let uses = inspection.budgetUses
    self.container = inspection.subject.name.onOneLine
    self.app = inspection.subject.identifier
    self.system = inspection.subject.configuration.profile.version.description
    self.totals = tally.total.inJSON
    self.folders = tally.foldersBySize.map {
      Folder(path: $0.path?.description ?? ".", bytes: $0.sums.bytes, states: $0.sums.inJSON)
    }
    self.classes = classes.isEmpty ? nil : Dictionary(classes) { first, _ in first }
    self.budgets = uses.isEmpty ? nil : uses
    self.findings = inspection.findings.map { JSONFinding($0) }
    self.notes = inspection.notes
    let promises = inspection.subject.configuration.files
    self.items = inspection.set.decisions.compactMap { decision in
      inspection.tree[decision.path].map { Item(decision, $0, inspection, promises) }
    }
  }
}

extension InspectionJSON.Item {
  /// An item with what the backup does with it.
  fileprivate init(
    _ decision: BackupSet.Decision, _ item: FileTree.Item, _ inspection: Inspection,
    _ promises: FilePromises?
  ) {
    let known = JSONItem(decision.path, item, decision.reason)
    self.path = known.path
    self.kind = known.kind
    self.size = known.size
    self.target = known.target
    self.state = Inspection.State(decision.verdict).word
    self.reason = known.reason
    self.decidedBy = known.decidedBy
    self.why = inspection.cause(of: decision)
    self.dataClass =
      item.isDirectory ? nil : promises?.dataClass(of: decision.path)?.rawValue
  }
}

extension Inspection.Sums {
  /// The files of each state that has any.
  fileprivate var inJSON: [String: JSONSum] {
    let states = Inspection.State.allCases.map { ($0.word, JSONSum(self[$0])) }
    return Dictionary(states) { first, _ in first }
  }
}
