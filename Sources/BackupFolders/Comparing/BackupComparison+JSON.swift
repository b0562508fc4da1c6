import BackupDevice
import BackupDiagnostics
import BackupFileTree

extension BackupComparison {
  /// The comparison for programs.
  package var report: Report { Report(self) }

  /// A comparison as JSON has it; what does not apply is left out.
  package struct Report: Encodable, Sendable {
    /// The format of such reports.
    static let format = 1

    /// An item with what is said of it.
    struct Item: Encodable {
      /// Its path in the tree.
      let path: String
      /// How prediction and backup stand to each other.
      let outcome: String
      /// Why the kit predicts it out, in a word.
      var reason: String?
      var seen: String?
      /// What the container has.
      var predicted: String?
    }

    /// A kind of fault.
    struct Fault: Encodable {
      let kind: String
      /// How many rows have it.
      let count: Int
      /// The first of them.
      let first: String
    }

    /// The format of this one.
    let format: Int
    /// The version of iOS by whose rules was predicted.
    let system: String
    /// How many items are in both.
    let agreeing: Int
    /// The items that differ.
    let differences: [Item]
    /// The topmost items that are out in both.
    let leftOut: [Item]
    /// What no device writes into a manifest.
    let faults: [Fault]
    /// What the comparison could not see.
    let notes: [String]

    /// What is said of a comparison.
    init(_ comparison: BackupComparison) {
      self.format = Self.format
      self.system = comparison.profile.version.description
      self.agreeing = comparison.agreeing
      self.differences = comparison.differences.map { Item($0) }
      self.leftOut = comparison.leftOut.map {
        Item(path: $0.path.description, outcome: "out-in-both", reason: $0.reason?.word)
      }
      self.faults = BackupContents.Fault.allCases.compactMap { fault in
        comparison.contents.faults[fault].map {
          Fault(kind: fault.word, count: $0.count, first: $0.first)
        }
      }
      self.notes = comparison.notes
    }
  }
}

extension BackupComparison.Report.Item {
  init(_ difference: BackupComparison.Difference) {
    self.init(path: difference.path.description, outcome: difference.kind.word)
    switch difference.kind {
    case .unexpected(let reason): self.reason = reason.word
    case .unlike(let seen, let expected):
      self.seen = seen.description
      self.predicted = expected.description
    case .withoutContents(let substitute): self.seen = substitute.description
    case .missing, .unknown: break
    }
  }
}

extension BackupComparison.Difference.Kind {
  /// The word for it in JSON; stable.
  package var word: String {
    switch self {
    case .missing: "predicted-in"
    case .unexpected: "predicted-out"
    case .unknown: "not-in-container"
    case .unlike: "unlike"
    case .withoutContents: "without-contents"
    }
  }
}

extension BackupContents.Fault {
  /// The word for it in JSON; stable.
  package var word: String {
    switch self {
    case .types: "types"
    case .path: "path"
    case .archive: "archive"
    case .contradiction: "contradiction"
    case .name: "name"
    case .twice: "twice"
    case .parent: "parent"
    }
  }
}
