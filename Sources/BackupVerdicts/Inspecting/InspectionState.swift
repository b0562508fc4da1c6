package import BackupDevice
package import BackupFileTree

extension Inspection {
  /// Whether a backup holds an item, and in a word why not.
  package enum State: Int, CaseIterable, Sendable {
    case included
    /// A mark keeps the item out.
    case mark
    case place
    /// What it is does: its name, its kind, its path's length.
    case other

    /// What a verdict comes under.
    package init(_ verdict: BackupSet.Decision.Verdict) {
      switch verdict {
      case .included: self = .included
      case .leftOut(.ownMark), .leftOut(.markedDirectory): self = .mark
      case .leftOut(.location), .leftOut(.systemManaged), .leftOut(.outsideRoots),
        .leftOut(.bundle):
        self = .place
      case .leftOut: self = .other
      }
    }

    /// The word in JSON and in style sheets.
    package var word: String {
      switch self {
      case .included: "in"
      case .mark: "mark"
      case .place: "place"
      case .other: "other"
      }
    }

    package var words: String {
      switch self {
      case .included: "in the backup"
      case .mark: "excluded by a mark"
      case .place: "excluded by its place"
      case .other: "excluded for another reason"
      }
    }
  }

  /// Files by what a backup does with them.
  package struct Sums: Sendable {
    /// The files of each state, in their order.
    private var sums = [FileSum](repeating: FileSum(), count: State.allCases.count)

    package init() {}

    package subscript(state: State) -> FileSum { sums[state.rawValue] }

    package var bytes: Int64 {
      sums.reduce(0) { sum, part in
        let (all, isOver) = sum.addingReportingOverflow(part.bytes)
        return isOver ? .max : all
      }
    }

    package var files: Int { sums.reduce(0) { $0 + $1.files } }

    /// Counts a file of a size in bytes.
    mutating func add(_ size: Int64, _ state: State) { sums[state.rawValue].add(size) }

    mutating func add(_ other: Sums) {
      for index in sums.indices { sums[index].add(other.sums[index]) }
    }
  }
}
