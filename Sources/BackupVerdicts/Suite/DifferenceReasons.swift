import BackupDevice
import BackupRules
import BackupScenarios

/// Says why the items of differing lines are where they are now; looks each run up once.
struct DifferenceReasons {
  private let result: ScenarioResult
  /// The runs that were looked up, by index.
  private var runs: [Int: ExplainedRun] = [:]
  /// The indices of the runs that sections are of, by the lines that name them.
  private var runsOfSections: [[String]: [Int]] = [:]

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
    for index in runs(of: line.section) {
      guard let backup = backup(step.number, inRun: index) else { continue }
      isMissing = true
      for name in names {
        guard let decision = backup.decisions[name] else { continue }
        return isResized
          ? runs[index]?.size(of: decision.path, before: step)
          : "\(name) is \(backup.explanation.reason(decision))"
      }
    }
    return isMissing ? names.last.map { "\($0) was missing when this backup was taken" } : nil
  }

  /// The indices of the runs that a section is of; without lines that name any those of all.
  private mutating func runs(of section: [String]) -> [Int] {
    if let known = runsOfSections[section] { return known }
    let group = VariantGroup(namedBy: section, of: result.scenario)
    let runs = result.runs.indices.filter { index in
      section.isEmpty || group.contains(result.runs[index].variant)
    }
    runsOfSections[section] = runs
    return runs
  }

  /// The backup that a step took in a run; nil where it took none.
  private mutating func backup(
    _ step: Scenario.StepReference.Number, inRun index: Int
  ) -> ExplainedRun.Backup? {
    guard let transcript = result.runs[index].transcript else { return nil }
    return runs[index, default: ExplainedRun(transcript)].backup(step)
  }
}

extension LineDifference.Line {
  /// How many bytes a line with an item's name has at most: each byte of a path may be escaped.
  private static let longestWithName = 20_000

  /// The names that the line's item may have, the longest first; none for a heading.
  ///
  /// Two spaces end a name, but may be in one too.
  fileprivate var possibleItemNames: [String] {
    guard text.utf8.count <= Self.longestWithName, text.hasPrefix("+ ") || text.hasPrefix("- ")
    else { return [] }
    let parts = text.dropFirst(2).split(separator: "  ", omittingEmptySubsequences: false)
    return parts.indices.reversed().map { end in
      let name = parts[...end].joined(separator: "  ")
      return name.last == "/" ? String(name.dropLast()) : name
    }
  }
}
