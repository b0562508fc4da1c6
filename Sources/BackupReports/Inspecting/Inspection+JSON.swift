import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
import BackupScenarios
import BackupVerdicts

extension Inspection {
  var json: JSONValue {
    let classMembers = tally.classSums.map { ($0.name, $0.sums.json) }
    let budgetObjects = budgetUses.map { use -> JSONValue in
      [
        "name": .string(use.name), "unit": .string(use.unit), "used": .number(use.used),
        "limit": .number(use.limit),
      ]
    }
    // The findings have no steps, because an inspection runs no steps.
    let findings = findings.map { finding -> JSONValue in
      [
        "rule": .string(finding.rule), "severity": .string(finding.severity.rawValue),
        "message": .string(finding.message.asMessage), "advice": .string(finding.advice.asMessage),
        "sources": .strings(finding.sources.map(\.key)),
        "path": finding.path.map { .string($0.description) },
        "note": finding.note.map { .string($0.asMessage) },
      ]
    }
    return [
      "format": .number(1), "container": .string(context.name.onOneLine),
      "app": context.appIdentifier.map { .string($0) },
      "system": .string(context.configuration.profile.version.description),
      "totals": tally.total.json,
      "containers": .array(
        containers.map {
          ["identifier": $0.identifier.map { .string($0) }, "states": $0.sums.json]
        }),
      "changes": changes?.json,
      "folders": .array(
        tally.foldersBySize.map {
          [
            "path": .string($0.path?.description ?? "."), "bytes": .number($0.sums.bytes),
            "states": $0.sums.json,
          ]
        }),
      "classes": classMembers.isEmpty
        ? nil : .object(Dictionary(classMembers) { first, _ in first }),
      "budgets": budgetObjects.isEmpty ? nil : .array(budgetObjects),
      "findings": .array(findings), "notes": .strings(notes),
      "items": .array(backupSet.decisions.compactMap(item)),
    ]
  }

  /// Returns the entry for an item. If a link's target is in a container, the entry has the target
  /// as a path such as `CONTAINER/Documents`.
  private func item(_ decision: BackupSet.Decision) -> JSONValue? {
    guard let item = tree[decision.path] else { return nil }
    var members: [String: JSONValue] = [
      "path": .string(decision.path.description),
      "state": .string(ItemState(decision.verdict).word), "why": .string(cause(of: decision)),
    ]
    switch item.kind {
    case .file(let information):
      members["kind"] = .string("file")
      members["size"] = .number(information.size)
    case .directory: members["kind"] = .string("directory")
    case .link(let target):
      let text = EscapedText.escape(target)
      members["kind"] = .string("link")
      members["target"] = .string(
        ContainerPath.pathInAnyContainer(text).map { "CONTAINER/\($0)" } ?? text)
    case .special: members["kind"] = .string("special")
    case .unreadable: members["kind"] = .string("unreadable")
    }
    members["reason"] = decision.reason.map { .string($0.word) }
    if let decidingItem = decision.reason?.decidingItem, decidingItem != decision.path {
      members["decidedBy"] = .string(decidingItem.description)
    }
    let dataClass = context.configuration.files?.dataClass(of: decision.path)
    if !item.isDirectory { members["class"] = dataClass.map { .string($0.rawValue) } }
    return .object(members)
  }
}

extension Inspection.Sums {
  fileprivate var json: JSONValue {
    let states = ItemState.allCases.map { state -> (String, JSONValue) in
      (
        state.word,
        ["files": .number(self[state].fileCount), "bytes": .number(self[state].byteCount)]
      )
    }
    return .object(Dictionary(states) { first, _ in first })
  }
}

extension InspectionChanges {
  fileprivate var json: JSONValue {
    func json(_ file: InspectedFile) -> JSONValue {
      ["state": .string(file.state.word), "size": .number(file.size)]
    }
    let items = all.map { change -> JSONValue in
      [
        "path": .string(change.path.description), "change": .string(change.kind.rawValue),
        "before": change.before.map(json), "after": change.after.map(json),
      ]
    }
    return [
      "since": .string(earlierName.onOneLine), "bytes": .number(backupGrowth),
      "items": .array(items),
    ]
  }
}
