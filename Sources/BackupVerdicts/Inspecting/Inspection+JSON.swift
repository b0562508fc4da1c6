import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
import BackupScenarios

extension OutputFormat<Inspection> {
  /// JSON for other programs: the sums, the findings, and every item.
  static var json: OutputFormat { json { $0.json } }
}

extension Inspection {
  fileprivate var json: JSONValue {
    let tally = tally
    let classes = tally.classesInOrder.map { ($0.name, $0.sums.json) }
    let uses = budgetUses
    return [
      "format": .number(1), "container": .string(context.name.onOneLine),
      "app": context.identifier.map { .string($0) },
      "system": .string(context.configuration.profile.version.description),
      "totals": tally.total.json,
      "folders": .array(
        tally.foldersBySize.map {
          [
            "path": .string($0.path?.description ?? "."), "bytes": .number($0.sums.bytes),
            "states": $0.sums.json,
          ]
        }),
      "classes": classes.isEmpty ? nil : .object(Dictionary(classes) { first, _ in first }),
      "budgets": uses.isEmpty ? nil : .array(uses.map(\.json)),
      "findings": .array(findings.map { .finding($0) }), "notes": .strings(notes),
      "items": .array(set.decisions.compactMap(item)),
    ]
  }

  private func item(_ decision: BackupSet.Decision) -> JSONValue? {
    guard let item = tree[decision.path] else { return nil }
    var members = item.jsonMembers(at: decision.path, decision.reason)
    members["state"] = .string(State(decision.verdict).word)
    members["why"] = .string(cause(of: decision))
    if !item.isDirectory {
      members["class"] = context.configuration.files?.dataClass(of: decision.path)
        .map { .string($0.rawValue) }
    }
    return .object(members)
  }
}

extension BudgetUse {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "unit": .string(unit), "used": .number(used),
      "limit": .number(limit),
    ]
  }
}

extension Inspection.Sums {
  /// The files of each state.
  fileprivate var json: JSONValue {
    let states = Inspection.State.allCases.map { ($0.word, JSONValue.sum(self[$0])) }
    return .object(Dictionary(states) { first, _ in first })
  }
}
