import BackupDevice
import BackupFileTree
import BackupScenarios

extension ScenarioResult {
  /// Advice on files of an earlier version of the app that a migration may have forgotten, because a later
  /// version has created files of the same names elsewhere.
  var abandonedFileProblems: [Scenario.Problem] {
    var paths: Set<ContainerPath> = []
    return runs.compactMap(\.transcript).flatMap(\.abandonedFiles).filter {
      paths.insert($0.path).inserted
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
  /// The version of the app that left it.
  let version: String
  /// The later file of the same name, and the step that created it.
  let newPath: ContainerPath
  let step: Scenario.StepReference
}

extension Transcript {
  fileprivate var abandonedFiles: [AbandonedFile] {
    // Only files at the last update count.
    let updates = entries.indices.filter { index in
      if case .system(.appUpdate, lost: _) = entries[index].event { true } else { false }
    }
    guard let last = updates.last,
      case .system(.appUpdate(version: let version), lost: _) = entries[last].event
    else { return [] }
    var formerVersion = scenario.app.version
    if let previous = updates.dropLast().last,
      case .system(.appUpdate(version: let earlier), lost: _) = entries[previous].event
    {
      formerVersion = earlier
    }
    guard formerVersion.isEarlierVersion(than: version) else { return [] }
    let formerTree = entries[last].tree
    // A read step may leave no trace, so the paths of all later steps count.
    let later = scenario.steps.drop { $0.reference.number != entries[last].step.number }
    let readPaths = Set(
      (scenario.launch + later).filter { $0.applies(with: version) }.compactMap(\.readPath))
    // If several files have one name, the name does not tell which of them has a new place.
    var files = formerTree.filesWithOwnNames.filter { !readPaths.contains($0.value) }
    var abandoned: [ContainerPath: AbandonedFile] = [:]
    for entry in entries[(last + 1)...] {
      switch entry.event {
      case .changes(let changes):
        for path in changes.flatMap(\.touchedPaths) {
          if formerTree[path]?.isDirectory == true {
            files = files.filter { !path.covers($0.value) }
          } else if files[path.name] == path {
            files[path.name] = nil
          }
        }
        for change in changes where change.createsOrSavesItem {
          entry.tree[change.path]?.forEachItem(at: change.path) { path, item in
            guard item.size != nil, let old = files[path.name], !entry.profile.mayPurge(path),
              scenario.files?.dataClass(of: path) == scenario.files?.dataClass(of: old)
            else { return }
            abandoned[old] = AbandonedFile(
              path: old, version: formerVersion, newPath: path, step: entry.step)
          }
        }
      case .read(let path) where files[path.name] == path: files[path.name] = nil
      default: break
      }
    }
    return files.values.sorted().compactMap { path in
      abandoned[path].flatMap { file in
        lastTree.contains(path) && lastTree.contains(file.newPath) ? file : nil
      }
    }
  }
}

extension FileTree {
  /// The files whose names no other file has.
  fileprivate var filesWithOwnNames: [ContainerPath.Component: ContainerPath] {
    var files: [ContainerPath.Component: [ContainerPath]] = [:]
    forEachItem { path, item in
      if item.size != nil { files[path.name, default: []].append(path) }
    }
    return files.compactMapValues { $0.count == 1 ? $0[0] : nil }
  }
}
