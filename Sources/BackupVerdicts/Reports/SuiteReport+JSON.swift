import BackupContainer
package import BackupDevice
package import BackupDiagnostics
package import BackupFileTree
package import BackupRules
package import BackupScenarios

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

  /// A finding of a container that was found as it is, without steps.
  package static func finding(_ finding: Scenario.Finding) -> JSONValue {
    .object(finding.jsonMembers)
  }

  /// A finding with the step that caused it, and whether the scenario expects it.
  static func finding(_ judged: ScenarioResult.Run.JudgedFinding) -> JSONValue {
    var members = judged.finding.jsonMembers
    members["step"] = .step(judged.finding.step)
    members["line"] = .number(judged.finding.step.position.line)
    members["expected"] = .boolean(judged.isExpected)
    return .object(members)
  }

  /// A step's number: a JSON number, or `launch 1`.
  package static func step(_ step: Scenario.StepReference) -> JSONValue {
    switch step.number {
    case .step(let number): .number(number)
    case .launch, .call, .found: .string(step.number.description)
    }
  }

  package static func sum(_ sum: FileSum) -> JSONValue {
    ["files": .number(sum.files), "bytes": .number(sum.bytes)]
  }

  /// An item of a container, with the reason if a backup leaves it out.
  static func item(
    _ path: ContainerPath, _ item: FileTree.Item, _ reason: BackupSet.LeftOutReason? = nil
  ) -> JSONValue {
    .object(item.jsonMembers(at: path, reason))
  }

  /// An item that a purge took: a directory's size is that of all that was in it.
  static func item(taken: FileTree.LostItem) -> JSONValue {
    var members = taken.item.jsonMembers(at: taken.path)
    if taken.isDirectory { members["size"] = .number(taken.bytes) }
    return .object(members)
  }

  /// Something the system did, or what a process printed; nil for what the app did.
  static func event(_ entry: Transcript.Entry, _ promises: FilePromises?) -> JSONValue? {
    var members: [String: JSONValue]
    switch entry.event {
    case .backup(let backup):
      members = backup.jsonMembers(promises)
      members["kind"] = .string("backup")
    case .purge(let pressure, let taken):
      members = [
        "kind": .string("purge"), "pressure": .string(pressure.description.asMessage),
        "bytes": .number(taken.sumOfBytes), "taken": .array(taken.map { .item(taken: $0) }),
      ]
    case .appUpdate(let version, let lost):
      members = [
        "kind": .string("updateApp"), "version": .string(version.asMessage),
        "present": entry.tree.presentItems, "missing": items(lost),
      ]
    case .systemUpdate(let version):
      members = ["kind": .string("updateSystem"), "version": .string(version.description)]
    case .restore(let backup, let missing):
      members = [
        "kind": .string("restore"), "label": .string(backup.label.asMessage),
        "present": entry.tree.presentItems,
        "missing": items(missing) { backup.contents.decision(on: $0)?.reason },
      ]
    case .offload(let lost):
      members = [
        "kind": .string("offload"), "present": entry.tree.presentItems, "missing": items(lost),
      ]
    case .reinstall(let lost):
      members = [
        "kind": .string("reinstall"), "present": entry.tree.presentItems, "missing": items(lost),
      ]
    case .output(let output):
      members = ["kind": .string("output"), "output": .string(output)]
    case .changes, .markOnMissing, .markUnavailable, .read, .readMissing, .writeToMissing,
      .foundOwnRemnant, .staleURL, .refused, .staleLink, .storedPath, .namedMissing, .checkFailed,
      .checkPassed,
      .launch,
      .killed, .place, .keychainItem:
      return nil
    }
    members["step"] = .step(entry.step)
    return .object(members)
  }

  private static func items(
    _ lost: [FileTree.LostItem],
    because reason: (ContainerPath) -> BackupSet.LeftOutReason? = { _ in nil }
  ) -> JSONValue {
    .array(lost.map { .item($0.path, $0.item, reason($0.path)) })
  }
}

extension Scenario.Problem {
  fileprivate var json: JSONValue {
    .problem(
      at: position, fails: isFailure, variants.map { "\(message) [\($0)]" } ?? message,
      details: details)
  }
}

extension ScenarioDiagnostic {
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

extension Scenario.Finding {
  fileprivate var jsonMembers: [String: JSONValue] {
    var members: [String: JSONValue] = [
      "rule": .string(rule), "severity": .string(severity.rawValue),
      "message": .string(message.asMessage), "advice": .string(advice.asMessage),
      "sources": .strings(sources.map(\.key)),
    ]
    members["path"] = path.map { .string($0.description) }
    members["note"] = note.map { .string($0.asMessage) }
    return members
  }
}

extension FileTree.Item {
  /// What a report says of an item; a link into its container points to what is below `CONTAINER`.
  package func jsonMembers(
    at path: ContainerPath, _ reason: BackupSet.LeftOutReason? = nil
  ) -> [String: JSONValue] {
    var members: [String: JSONValue] = ["path": .string(path.description)]
    switch kind {
    case .file(let information):
      members["kind"] = .string("file")
      members["size"] = .number(information.size)
    case .directory: members["kind"] = .string("directory")
    case .link(let target):
      let text = EscapedText.escape(target)
      members["kind"] = .string("link")
      members["target"] = .string(
        ContainerPath.inAnyContainer(text).map { "CONTAINER/\($0)" } ?? text)
    case .special: members["kind"] = .string("special")
    case .unreadable: members["kind"] = .string("unreadable")
    }
    members["reason"] = reason.map { .string($0.word) }
    if let item = reason?.decidingItem, item != path {
      members["decidedBy"] = .string(item.description)
    }
    return members
  }
}

extension FakeContainer.Backup {
  /// What it holds: sums, its files, links and empty directories, and the topmost items left out.
  fileprivate func jsonMembers(_ promises: FilePromises?) -> [String: JSONValue] {
    let sizes = BackupSizes(of: contents, promises)
    var members: [String: JSONValue] = [
      "label": .string(label.asMessage), "bytes": .number(contents.bytes),
      "byFolder": .array(
        sizes.byFolder.map { folder, sum in
          [
            "path": .string(folder?.description ?? "."), "files": .number(sum.files),
            "bytes": .number(sum.bytes),
          ]
        }),
      "included": .array(
        contents.included.compactMap { decision in
          guard decision.kind != .directory(isEmpty: false) else { return nil }
          return tree[decision.path].map { .item(decision.path, $0) }
        }),
      "leftOut": .array(
        contents.leftOutTops.compactMap { decision in
          tree[decision.path].map { .item(decision.path, $0, decision.reason) }
        }),
    ]
    members["byClass"] = sizes.byClass.map { .object($0.mapValues { .sum($0) }) }
    return members
  }
}

extension FileTree {
  fileprivate var presentItems: JSONValue {
    var items: [JSONValue] = []
    walk { path, item in
      if !item.isDirectory || item.children.isEmpty { items.append(.item(path, item)) }
      return true
    }
    return .array(items)
  }
}
