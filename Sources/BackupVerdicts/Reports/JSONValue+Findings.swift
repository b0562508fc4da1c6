import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
import BackupScenarios

extension JSONValue {
  /// A finding of a container that was found as it is, without steps.
  static func finding(_ finding: Scenario.Finding) -> JSONValue {
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
  static func step(_ step: Scenario.StepReference) -> JSONValue {
    switch step.number {
    case .step(let number): .number(number)
    case .launch, .call, .found: .string(step.number.description)
    }
  }

  static func sum(_ sum: FileSum) -> JSONValue {
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
  func jsonMembers(
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
        FakeContainer.pathInAnyContainer(text).map { "CONTAINER/\($0)" } ?? text)
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
