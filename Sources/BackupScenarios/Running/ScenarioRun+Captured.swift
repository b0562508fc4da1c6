import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree

extension ScenarioRun {
  /// Puts into the new container what the scenario starts from.
  mutating func begin() throws(StepFailure) {
    guard let start = scenario.start else { return }
    let first = currentStep
    currentStep = start.reference
    try requireBackupsAllowed("starts from '\(start.container.shown)'")
    var captured = try CapturedContainer(start, of: scenario)
    let empty = transcript.firstTree
    try empty.forEachItem { path, item throws(StepFailure) in
      if captured.tree[path] == nil {
        captured.tree.insert(FileTree.Item(.directory(FileTree.Children())), at: path)
      }
      guard item.isDirectory == captured.tree[path]?.isDirectory else {
        throw StepFailure(
          "'\(start.container.shown)': '\(path)' is not a directory, as it is in every container; "
            + "name the folder of a container",
          .notAllowed)
      }
    }
    try requireRoom(toRestore: captured.tree, captured.size)
    try onDisk(
      try disk.container?.materialise(captured.tree, from: empty, contents: captured.contents))
    let found = try onDisk(try disk.scan(expecting: captured.tree))
    transcript.firstTree = found
    try found.forEachItem { path, _ throws(StepFailure) in
      try noteDefaults(at: path, in: found)
    }
    device.containers = ContainerState(tree: found)
    currentStep = first
  }

  /// Ends the app and goes on with what a real backup holds.
  mutating func restore(
    from place: Scenario.BackupPlace, to destination: RestoreSimulator.Destination
  ) throws(StepFailure) {
    try requireBackupsAllowed("restores from '\(place.path.shown)'")
    guard let backupReader = runner.backupReader else {
      throw StepFailure(
        "this test cannot read the backup in '\(place.path.shown)'; add the product BackupFolders to "
          + "the test target, import BackupFolders, and run the scenario with options: "
          + ".init(allowsBackups: true, backupReader: .finder)", .notAllowed)
    }
    let captured = try CapturedContainer(
      place, tree.containerNames, for: scenario, by: backupReader)
    var decisions: [BackupSet.Decision] = []
    captured.tree.forEachItem { path, item in
      let kind = BackupSet.Decision.ItemKind(item)
      decisions.append(.init(path: path, kind: kind, verdict: .included(despite: [])))
    }
    let backup = FakeContainer.Backup(
      label: place.label, tree: captured.tree, contents: BackupSet(decisions: decisions))
    // What the folder's keychain holds cannot be read: it is taken to be what is on the device.
    try goOn(with: backup, device.keychainLeftByApp, .local, to: destination) {
      run throws(StepFailure) in
      try run.requireRoom(toRestore: captured.tree, captured.size)
      return captured.contents
    }
  }

  /// Requires that folders may be read which a scenario file names.
  private func requireBackupsAllowed(_ what: String) throws(StepFailure) {
    guard !runner.permissions.contains(.folders) else { return }
    throw StepFailure(
      "this scenario \(what), which needs permission, because scenario files may be untrusted. If "
        + "you trust the file: scenario.run(options: .init(allowsBackups: true)) in a test, or "
        + "--allow-backups on the command line", .notAllowed)
  }
}
