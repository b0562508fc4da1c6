import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
import BackupScenarios

extension Scenario.Finding {
  /// A finding of a container that was found as it is, without steps.
  var json: JSONValue {
    [
      "rule": .string(rule), "severity": .string(severity.rawValue),
      "message": .string(message.asMessage), "advice": .string(advice.asMessage),
      "sources": .strings(sources.map(\.key)), "path": path.map { .string($0.description) },
      "note": note.map { .string($0.asMessage) },
    ]
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
