import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
import BackupScenarios

/// What the system did in a run, one moment after the other; of each backup what is not as in the one
/// before.
struct Timeline {
  /// One thing that the system did: at which step, how much it was, in words, empty where nothing is
  /// measured; and what became of items.
  typealias Moment = (step: Scenario.StepReference, amount: String, changes: [Change])

  /// What became of an item: its path with a slash for a directory, its bytes, and why.
  typealias Change = (kind: ChangeKind, name: String, bytes: Int64?, why: String)

  enum ChangeKind: String {
    /// It is in this backup, and was not in the one before.
    case cameIn = "in"
    /// It is in both, and has another size.
    case resized = "in, resized"
    /// It was in the backup before, and is not in this one.
    case wentOut = "out"
    /// It is left out, and was not there when the backup before was taken.
    case leftOut = "excluded"
    /// The system took it, or did not bring it along.
    case lost = "gone"
  }

  private(set) var moments: [Moment] = []
  /// What the backup before held: each file, link and empty directory with its size.
  private var held: [ContainerPath: Int64?] = [:]
  /// The items that the backup before left out, but for what is in a directory left out whole.
  private var leftOut: Set<ContainerPath> = []

  init(of transcript: Transcript) {
    let explanations = ItemExplanation.byStep(in: transcript)
    for entry in transcript.systemEntries {
      moments.append(moment(entry, explanations[entry.step.number]))
    }
  }

  private mutating func moment(
    _ entry: Transcript.Entry, _ explanation: ItemExplanation?
  ) -> Moment {
    switch entry.event {
    case .backup(let backup):
      let words =
        "\(backup.contents.fileCount.counted("file")), \(backup.contents.bytes.formattedSize)"
      return (entry.step, words, changes(in: backup, explanation))
    case .purge(_, let items):
      let words = "\(items.sumOfBytes.formattedSize) purged"
      return (entry.step, words, items.map { $0.change("taken") })
    case .appUpdate(_, let items):
      return (entry.step, "", items.map { $0.change("not kept by the update") })
    case .offload(let items):
      return (entry.step, "", items.map { $0.change("not kept") })
    case .reinstall(let items):
      return (entry.step, "", items.map { $0.change("deleted with the app") })
    case .restore(let backup, let items):
      let changes = items.map { item in
        let reason = backup.contents.decision(on: item.path)?.reason
        return item.change(reason.map { "not in the backup: \($0)" } ?? "not restored")
      }
      return (entry.step, "", changes)
    default:
      return (entry.step, "", [])
    }
  }

  private mutating func changes(
    in backup: FakeContainer.Backup, _ explanation: ItemExplanation?
  ) -> [Change] {
    let included = backup.contents.included.filter { $0.kind != .directory(isEmpty: false) }
    let tops = backup.contents.leftOutTops
    func why(_ decision: BackupSet.Decision) -> String { explanation?.cause(of: decision) ?? "" }
    let came = included.compactMap { decision -> Change? in
      guard let former = held[decision.path] else {
        return (.cameIn, decision.shownName, decision.size, why(decision))
      }
      guard former != decision.size else { return nil }
      let why = "was \((former ?? 0).formattedSize)"
      return (.resized, decision.shownName, decision.size, why)
    }
    let now = Dictionary(included.map { ($0.path, $0.size) }) { first, _ in first }
    let went = held.keys.filter { now[$0] == nil }.sorted().map { path -> Change in
      guard let decision = backup.contents.decision(on: path) else {
        return (.wentOut, path.description, nil, "missing now")
      }
      return (.wentOut, decision.shownName, decision.size, why(decision))
    }
    let kept = tops.filter { !leftOut.contains($0.path) && held[$0.path] == nil }.map {
      decision -> Change in
      (.leftOut, decision.shownName, decision.size, why(decision))
    }
    (held, leftOut) = (now, Set(tops.map(\.path)))
    return came + went + kept
  }
}

extension BackupSet.Decision {
  /// The path, with a slash for a directory.
  fileprivate var shownName: String {
    if case .directory = kind { "\(path)/" } else { "\(path)" }
  }
}

extension FileTree.LostItem {
  fileprivate func change(_ why: String) -> Timeline.Change {
    (.lost, isDirectory ? "\(path)/" : "\(path)", bytes, why)
  }
}
