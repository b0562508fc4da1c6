import BackupDevice
import BackupFileTree
import BackupScenarios

extension ScenarioResult {
  /// Advice on files that a migration from an earlier version of the app may have forgotten.
  ///
  /// The kit suspects this if a later version has created a file of the same name elsewhere, but
  /// has not touched the old file.
  var abandonedFileProblems: [Scenario.Problem] {
    var reportedPaths: Set<ContainerPath> = []
    return runs.compactMap(\.transcript).flatMap(\.abandonedFiles).filter {
      reportedPaths.insert($0.path).inserted
    }
    .map { file in
      Scenario.Problem(
        kind: .idle, severity: .advice, isFailure: false, position: file.step.position,
        message:
          "'\(file.path)' is as version \(file.version) of the app left it, and since the update the app "
          + "has made '\(file.newPath)'",
        details: [
          "do: if the new file takes the place of the old one, have the new version move the old one, or delete it "
            + "after the migration; it stays on the device and in backups"
        ], variants: nil)
    }
  }
}

/// A file of an earlier version of the app that nothing has touched since the update.
private struct AbandonedFile {
  let path: ContainerPath
  /// The earlier version of the app, which left the file.
  let version: String
  /// The path of the later file with the same name.
  let newPath: ContainerPath
  /// The step that created the later file.
  let step: Scenario.StepReference
}

extension Transcript {
  fileprivate var abandonedFiles: [AbandonedFile] {
    // Only files that existed at the app's last update can be abandoned.
    let updateIndices = entries.indices.filter { index in
      if case .system(.appUpdate, lost: _) = entries[index].event { true } else { false }
    }
    guard let lastUpdateIndex = updateIndices.last,
      case .system(.appUpdate(version: let newVersion), lost: _) = entries[lastUpdateIndex].event
    else { return [] }
    var formerVersion = scenario.app.version
    if let previousUpdateIndex = updateIndices.dropLast().last,
      case .system(.appUpdate(version: let earlier), lost: _) = entries[previousUpdateIndex].event
    {
      formerVersion = earlier
    }
    guard formerVersion.isEarlierVersion(than: newVersion) else { return [] }
    let formerTree = entries[lastUpdateIndex].tree
    // A step that reads a file may leave no event. So find the paths in the scenario's later steps.
    let laterSteps = scenario.steps.drop {
      $0.reference.number != entries[lastUpdateIndex].step.number
    }
    let readPaths = Set(
      (scenario.launch + laterSteps).filter { $0.applies(with: newVersion) }.compactMap(\.readPath))
    // If several files have the same name, the name does not tell which of them has moved.
    var candidates = formerTree.filesByUniqueName.filter { !readPaths.contains($0.value) }
    var abandonedByPath: [ContainerPath: AbandonedFile] = [:]
    for entry in entries[(lastUpdateIndex + 1)...] {
      switch entry.event {
      case .changes(let changes):
        for path in changes.flatMap(\.touchedPaths) {
          if formerTree[path]?.isDirectory == true {
            candidates = candidates.filter { !path.covers($0.value) }
          } else if candidates[path.name] == path {
            candidates[path.name] = nil
          }
        }
        for change in changes where change.createsOrSavesItem {
          entry.tree[change.path]?.forEachItem(at: change.path) { path, item in
            guard item.size != nil, let oldPath = candidates[path.name],
              !entry.profile.mayPurge(path),
              scenario.files?.dataClass(of: path) == scenario.files?.dataClass(of: oldPath)
            else { return }
            abandonedByPath[oldPath] = AbandonedFile(
              path: oldPath, version: formerVersion, newPath: path, step: entry.step)
          }
        }
      case .read(let path) where candidates[path.name] == path: candidates[path.name] = nil
      default: break
      }
    }
    return candidates.values.sorted().compactMap { path in
      abandonedByPath[path].flatMap { file in
        lastTree.contains(path) && lastTree.contains(file.newPath) ? file : nil
      }
    }
  }
}

extension FileTree {
  /// The files whose names no other file has.
  fileprivate var filesByUniqueName: [ContainerPath.Component: ContainerPath] {
    var files: [ContainerPath.Component: [ContainerPath]] = [:]
    forEachItem { path, item in
      if item.size != nil { files[path.name, default: []].append(path) }
    }
    return files.compactMapValues { $0.count == 1 ? $0[0] : nil }
  }
}
