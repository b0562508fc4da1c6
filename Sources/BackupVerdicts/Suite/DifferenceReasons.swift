import BackupDevice
import BackupFileTree
import BackupRules
import BackupScenarios

/// Says why the items of differing lines are where they are now; looks each run up once.
struct DifferenceReasons {
  /// A backup of a run.
  private struct Key: Hashable {
    /// The index of the run among the result's.
    let run: Int
    /// The step that took it.
    let step: Scenario.StepReference.Number
  }

  /// What a backup did with each item, by the name golden files have for it.
  private struct Backup {
    /// Each decision, by the item's name in golden files.
    let decisions: [String: BackupSet.Decision]
    /// Says why a decision is as it is.
    let explanation: ItemExplanation
  }

  /// The result whose lines differ.
  private let result: ScenarioResult
  /// The runs that were looked up, by index.
  private var histories: [Int: RunHistory] = [:]
  /// The backups that were looked up; nil for a step that took none.
  private var backups: [Key: Backup?] = [:]

  /// Looks for reasons in the runs of a result.
  init(_ result: ScenarioResult) {
    self.result = result
  }

  /// Why the item of a line is in a step's backup or not, or, where it was and is in it, since when
  /// it has its size; by the first run of the line's section.
  mutating func sentence(
    on line: LineDifference.Line, at step: Scenario.StepReference, isResized: Bool
  ) -> String? {
    let names = line.possibleItemNames
    var isMissing = false
    for (index, run) in result.runs.enumerated() where isRun(run.variant, of: line) {
      guard let backup = backup(Key(run: index, step: step.number)) else { continue }
      isMissing = true
      for name in names {
        guard let decision = backup.decisions[name] else { continue }
        return isResized
          ? size(of: decision.path, in: run, before: step)
          : "\(name) is \(backup.explanation.reason(decision))"
      }
    }
    return isMissing ? names.last.map { "\($0) was not there when this backup was taken" } : nil
  }

  /// Since which step an item has the size that a backup finds.
  private func size(
    of path: ContainerPath, in run: ScenarioResult.Run, before step: Scenario.StepReference
  ) -> String? {
    let entries = run.transcript?.entries.prefix { $0.step != step }
    let writing = entries?.last { $0.event.writes(path) }?.step
    return writing.map { "\(path) has its size since \($0.withLine), \($0.summary)" }
  }

  /// Whether a line's section is of a run.
  private func isRun(_ variant: Scenario.Variant, of line: LineDifference.Line) -> Bool {
    line.section.isEmpty
      || VariantGroup(namedBy: line.section, of: result.scenario).contains(variant)
  }

  /// The backup that a step took in a run.
  private mutating func backup(_ key: Key) -> Backup? {
    if let known = backups[key] { return known }
    let found = lookUp(key)
    backups[key] = .some(found)
    return found
  }

  /// Looks up the backup that a step took in a run.
  private mutating func lookUp(_ key: Key) -> Backup? {
    guard let transcript = result.runs[key.run].transcript else { return nil }
    let entry = transcript.entries.first { $0.step.number == key.step && $0.event.backup != nil }
    guard let set = entry?.event.backup?.set else { return nil }
    let history = histories[key.run] ?? RunHistory(transcript)
    histories[key.run] = history
    guard let explanation = ItemExplanation(key.step, in: history) else { return nil }
    let decisions = set.decisions.map { ($0.path.description, $0) }
    return Backup(
      decisions: Dictionary(decisions, uniquingKeysWith: { first, _ in first }),
      explanation: explanation)
  }
}

extension Transcript.Event {
  /// Whether the app wrote an item, or put it there.
  fileprivate func writes(_ path: ContainerPath) -> Bool {
    guard case .changes(let changes) = self else { return false }
    return changes.contains { change in
      switch change {
      case .created, .savedInPlace, .replaced, .moved, .copied: change.path == path
      case .removed, .marked, .cleared: false
      }
    }
  }
}

extension LineDifference.Line {
  /// The names that the line's item may have, the longest first; none for a heading.
  ///
  /// Two spaces end a name, but may be in one too.
  fileprivate var possibleItemNames: [String] {
    guard text.hasPrefix("+ ") || text.hasPrefix("- ") else { return [] }
    let parts = text.dropFirst(2).split(separator: "  ", omittingEmptySubsequences: false)
    return parts.indices.reversed().map { end in
      let name = parts[...end].joined(separator: "  ")
      return name.last == "/" ? String(name.dropLast()) : name
    }
  }
}
