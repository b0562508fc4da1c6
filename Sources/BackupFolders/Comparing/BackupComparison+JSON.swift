import BackupDevice
package import BackupDiagnostics
import BackupFileTree

extension BackupComparison {
  /// The comparison for programs; what does not apply is left out.
  package var json: JSONValue {
    [
      "format": .number(1), "system": .string(profile.version.description),
      "agreeing": .number(agreeing), "differences": .array(differences.map(\.json)),
      "leftOut": .array(
        leftOut.map {
          [
            "path": .string($0.path.description), "outcome": .string("out-in-both"),
            "reason": $0.reason.map { .string($0.word) },
          ]
        }),
      "faults": .array(
        BackupContents.Fault.allCases.compactMap { fault in
          contents.faults[fault].map {
            [
              "kind": .string(fault.word), "count": .number($0.count), "first": .string($0.first),
            ]
          }
        }),
      "notes": .strings(notes),
    ]
  }
}

extension BackupComparison.Mismatch {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = [
      "path": .string(path.description), "outcome": .string(kind.word),
    ]
    switch kind {
    case .unexpected(let reason): members["reason"] = .string(reason.word)
    case .unlike(let seen, let expected):
      members["seen"] = .string(seen.description)
      members["predicted"] = .string(expected.description)
    case .withoutContents(let substitute): members["seen"] = .string(substitute.description)
    case .missing, .unknown: break
    }
    return .object(members)
  }
}

extension BackupComparison.Mismatch.Kind {
  /// The word for it in JSON; stable.
  package var word: String {
    switch self {
    case .missing: "predicted-in"
    case .unexpected: "predicted-out"
    case .unknown: "not-in-container"
    case .unlike: "unlike"
    case .withoutContents: "without-contents"
    }
  }
}

extension BackupContents.Fault {
  /// The word for it in JSON; stable.
  package var word: String {
    switch self {
    case .types: "types"
    case .path: "path"
    case .archive: "archive"
    case .contradiction: "contradiction"
    case .name: "name"
    case .twice: "twice"
    case .parent: "parent"
    }
  }
}
