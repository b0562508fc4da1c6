import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
import BackupScenarios
package import BackupVerdicts

extension Inspection {
  package static let formats: [OutputFormat<Inspection>] = [
    OutputFormat("text", showsProblems: true) { $0.text },
    .json { $0.json },
    OutputFormat("html", showsProblems: true) { $0.page },
  ]

  private static let mostFolders = 30
  private static let mostFiles = 20
  private static let mostChanges = 20
  private static let mostUnreadable = 20

  fileprivate var text: String {
    [
      headLines, State.allCases.map { Self.line(tally.total[$0], "  \($0.words)") }, containerLines,
      changeLines, folderLines, fileLines, classLines,
      budgetUses.map { "\($0.name): \($0.phrase)" }, findingLines, unreadableLines,
      notes.map { "note: \($0)" },
    ]
    .filter { !$0.isEmpty }
    .map { $0.map { "\($0.onOneLine)\n" }.joined() }.joined(separator: "\n")
  }

  private var headLines: [String] {
    let name = context.name
    let app = owner.map { ", \($0)" } ?? ""
    return ["\(name)\(app): what a backup by \(system) would contain", headline]
  }

  private var containerLines: [String] {
    guard containers.count > 1 else { return [] }
    return ["containers:"] + containers.map { Self.line($0.sums, of: $0.identifier ?? "unknown") }
  }

  private var changeLines: [String] {
    guard let changes else { return [] }
    let lines = changes.all.prefix(Self.mostChanges).map { change in
      "\(Self.bytes(change.bytes))  \(change.path)  \(change.words.joined(separator: " → "))"
    }
    return ["changes since \(changes.name):", "  \(changes.headline)"] + lines
      + Self.rest(changes.all.count - lines.count, "file")
  }

  private var folderLines: [String] {
    let folders = tally.foldersBySize
    guard !folders.isEmpty else { return [] }
    let lines = folders.prefix(Self.mostFolders).map {
      Self.line($0.sums, of: $0.path.map { "\($0)/" } ?? ".")
    }
    return ["folders, the largest first:"] + lines
      + Self.rest(folders.count - lines.count, "folder")
  }

  private var fileLines: [String] {
    let files = tally.largest.prefix(Self.mostFiles)
    guard !files.isEmpty else { return [] }
    let lines = files.map { decision in
      let state = Inspection.State(decision.verdict).words
      let size = Self.bytes(decision.size ?? 0)
      return "\(size)  \(decision.path)  \(state): \(cause(of: decision))"
    }
    return ["files, the largest first:"] + lines
      + Self.rest(tally.total.files - lines.count, "file")
  }

  private var classLines: [String] {
    let classes = tally.classesInOrder
    guard !classes.isEmpty else { return [] }
    let lines = classes.flatMap { name, sums in
      Inspection.State.allCases.filter { sums[$0].files > 0 }.map { state in
        Self.line(sums[state], "  \(name), \(state.words)")
      }
    }
    let reviewed = tally.reviewed.map { Self.line($0.sum, "  \($0.words)") }
    return ["by class:"] + lines + ["what App Review may object to:"] + reviewed
  }

  private var findingLines: [String] {
    findings.flatMap { finding in
      ["\(finding.severity.diagnosticWord): \(finding.rule): \(finding.message.asMessage)"]
        + finding.details.map { "    \($0.asMessage)" }
    }
  }

  private var unreadableLines: [String] {
    let items = tally.unreadable
    guard !items.isEmpty else { return [] }
    return ["\(items.count.counted("item")) could not be read:"]
      + items.prefix(Self.mostUnreadable).map { "  \($0.path)  \($0.reason?.description ?? "")" }
      + Self.rest(items.count - Self.mostUnreadable, "item")
  }

  private static func line(_ sum: FileSum, _ words: String) -> String {
    bytes(sum.bytes) + "\(sum.files)".paddedInFront(to: 8)
      + " \(sum.files.form("file"))".padded(to: 6) + words
  }

  private static func line(_ sums: Sums, of name: String) -> String {
    let parts = State.allCases.filter { sums[$0].files > 0 }.map { state in
      "\(state.words) \(Int(sums[state].bytes).counted("byte"))"
    }
    return line(sums.total, "  \(name)  \(parts.joined(separator: ", "))")
  }

  private static func bytes(_ bytes: Int64) -> String {
    bytes.formattedSize.paddedInFront(to: 11)
  }

  private static func rest(_ count: Int, _ noun: String) -> [String] {
    count > 0 ? ["  … and \(count.counted(noun)) more"] : []
  }

  fileprivate var json: JSONValue {
    let tally = tally
    let classes = tally.classesInOrder.map { ($0.name, $0.sums.json) }
    let uses = budgetUses
    return [
      "format": .number(1), "container": .string(context.name.onOneLine),
      "app": context.identifier.map { .string($0) },
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
      "classes": classes.isEmpty ? nil : .object(Dictionary(classes) { first, _ in first }),
      "budgets": uses.isEmpty ? nil : .array(uses.map(\.json)),
      "findings": .array(findings.map(\.json)), "notes": .strings(notes),
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
  fileprivate var json: JSONValue {
    let states = Inspection.State.allCases.map { state -> (String, JSONValue) in
      (state.word, ["files": .number(self[state].files), "bytes": .number(self[state].bytes)])
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
    return ["since": .string(name.onOneLine), "bytes": .number(bytes), "items": .array(items)]
  }
}
