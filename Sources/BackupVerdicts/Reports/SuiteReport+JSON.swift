import BackupDevice
import BackupDiagnostics
import BackupScenarios

extension OutputFormat<SuiteReport> {
  /// JSON for other programs: an entry for each scenario under each system and backup kind.
  static var json: OutputFormat { json { $0.json } }
}

extension SuiteReport {
  /// Paths are written as in golden files, so that each is a string and no two are the same.
  fileprivate var json: JSONValue {
    var entries: [(verdict: ScenarioResult.Verdict, json: JSONValue)] = []
    for result in results {
      let problems = result.problems.map(\.json)
      if result.skippedStep != nil {
        let (id, file) = (result.scenario.id, result.scenario.file)
        entries.append((result.verdict, .entryNotRun(id, file, result.verdict, problems)))
      } else {
        entries += result.runs.map {
          (result.verdict(of: $0), .entry($0, of: result, problems))
        }
      }
    }
    entries += mistaken.map {
      (.error, .entryNotRun($0.file.id, $0.file.path, .error, $0.mistakes.map(\.json)))
    }
    let passed = entries.count { $0.verdict == .passed }
    let skipped = entries.count { $0.verdict == .skipped }
    return [
      "format": .number(1), "scenarios": .array(entries.map(\.json)),
      "passed": .number(passed), "skipped": .number(skipped),
      "failed": .number(entries.count - passed - skipped),
      "obstacle": obstacle.map { .string($0) },
      "orphans": orphans.isEmpty ? nil : .strings(orphans),
    ]
  }
}

extension JSONValue {
  fileprivate static func entry(
    _ run: ScenarioResult.Run, of result: ScenarioResult, _ problems: [JSONValue]
  ) -> JSONValue {
    let events = run.transcript?.entries.compactMap { event($0, result.scenario.files) }
    return [
      "id": .string(result.scenario.id), "file": .string(result.scenario.file),
      "system": .string(run.variant.system.description),
      "backups": .string(run.variant.backups.rawValue),
      "verdict": .string(result.verdict(of: run).rawValue),
      "events": .array(events ?? []),
      "findings": .array(run.findings.map { finding($0) }),
      "problems": problems.isEmpty ? nil : .array(problems),
    ]
  }

  /// The entry of a scenario that cannot be read, or that has an action without code.
  fileprivate static func entryNotRun(
    _ id: String, _ file: String, _ verdict: ScenarioResult.Verdict, _ problems: [JSONValue]
  ) -> JSONValue {
    [
      "id": .string(id), "file": .string(file), "verdict": .string(verdict.rawValue),
      "events": .array([]), "findings": .array([]), "problems": .array(problems),
    ]
  }

  fileprivate static func problem(
    at position: SourcePosition, fails: Bool, _ message: String, details: [String]
  ) -> JSONValue {
    [
      "line": .number(position.line), "column": .number(position.column),
      "fails": .boolean(fails), "message": .string(message), "details": .strings(details),
    ]
  }
}

extension Scenario.Problem {
  fileprivate var json: JSONValue {
    .problem(
      at: position, fails: isFailure, variants.map { "\(message) [\($0)]" } ?? message,
      details: details)
  }
}

extension Scenario.Diagnostic {
  fileprivate var json: JSONValue {
    .problem(at: position, fails: true, message, details: [])
  }
}

extension ScenarioResult {
  /// How one of its runs ended.
  ///
  /// What is wrong with the golden file is wrong with every run, and where another run kept this
  /// one from being compared, it ended as the whole did.
  fileprivate func verdict(of run: Run) -> Verdict {
    if run.hasBrokenOff { return .error }
    if run.hasFailingFindings(isStrict: isStrict) { return .failed }
    switch golden {
    case .matches: return .passed
    case .missing, .differs, .needless: return .failed
    case .recorded: return .recorded
    case .notCompared, .unusable: return verdict
    }
  }
}
