import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
import BackupScenarios

extension JSONValue {
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
  /// Its files, links and empty directories.
  fileprivate var presentItems: JSONValue {
    var items: [JSONValue] = []
    walk { path, item in
      if !item.isDirectory || item.children.isEmpty { items.append(.item(path, item)) }
      return true
    }
    return .array(items)
  }
}
