import BackupDevice
import BackupFileTree
import BackupScenarios

extension ScenarioResult {
  /// The files that an earlier version of the app has left, though a later one has made files of their names
  /// elsewhere: a migration may have forgotten them.
  var orphans: [Scenario.Problem] {
    var known: Set<ContainerPath> = []
    return runs.compactMap(\.transcript).flatMap(\.orphans).filter {
      known.insert($0.path).inserted
    }
    .map { orphan in
      Scenario.Problem(
        kind: .idle, severity: .advice, isFailure: false, position: orphan.step.position,
        message:
          "'\(orphan.path)' is as version \(orphan.version) of the app left it, and since the update the app "
          + "has made '\(orphan.newPath)'",
        details: [
          "do: if the new file takes the place of the old one, have the new version move the old one, or delete it "
            + "after the migration; it stays on the device and in backups"
        ], variants: nil)
    }
  }
}

/// A file of an earlier version of the app that nothing has touched since the update.
private struct Orphan {
  let path: ContainerPath
  /// The version of the app that left it.
  let version: String
  /// The file of the same name that was made since, and the step that made it.
  let newPath: ContainerPath
  let step: Scenario.StepReference
}

extension Transcript {
  fileprivate var orphans: [Orphan] {
    // Only what the last update finds counts.
    let updates = entries.indices.filter { index in
      if case .system(.appUpdate, lost: _) = entries[index].event { true } else { false }
    }
    guard let last = updates.last,
      case .system(.appUpdate(version: let version), lost: _) = entries[last].event
    else { return [] }
    var formerVersion = scenario.app.version
    if let former = updates.dropLast().last,
      case .system(.appUpdate(version: let earlier), lost: _) = entries[former].event
    {
      formerVersion = earlier
    }
    guard formerVersion.isEarlierVersion(than: version) else { return [] }
    let formerTree = entries[last].tree
    // A step that looks first leaves no trace of a read.
    let later = scenario.steps.drop { $0.reference.number != entries[last].step.number }
    let read = Set(
      (scenario.launch + later).filter { $0.isDone(with: version) }.compactMap(\.readPath))
    // Of names that several files have, none says which file takes the place of another.
    var files = formerTree.filesWithOwnNames.filter { !read.contains($0.value) }
    var orphans: [ContainerPath: Orphan] = [:]
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
        for change in changes where change.places {
          entry.tree[change.path]?.forEachItem(at: change.path) { path, item in
            guard item.size != nil, let old = files[path.name], !entry.profile.mayPurge(path),
              scenario.files?.dataClass(of: path) == scenario.files?.dataClass(of: old)
            else { return }
            orphans[old] = Orphan(
              path: old, version: formerVersion, newPath: path, step: entry.step)
          }
        }
      case .read(let path) where files[path.name] == path: files[path.name] = nil
      default: break
      }
    }
    return files.values.sorted().compactMap { path in
      orphans[path].flatMap { lastTree.contains(path) && lastTree.contains($0.newPath) ? $0 : nil }
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
