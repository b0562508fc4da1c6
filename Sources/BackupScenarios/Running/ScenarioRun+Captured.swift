import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree

extension ScenarioRun {
  /// Fills the new container with the items of the scenario's `start`.
  mutating func copyStartContainer() throws(StepFailure) {
    guard let start = scenario.start else { return }
    let callerStep = currentStep
    currentStep = start.reference
    try requireBackupsAllowed("starts from '\(start.container.escapedExcerpt)'")
    var capturedContainer = try CapturedContainer(start, of: scenario)
    let emptyTree = transcript.firstTree
    try emptyTree.forEachItem { path, item throws(StepFailure) in
      if capturedContainer.tree[path] == nil {
        capturedContainer.tree.insert(FileTree.Item(.directory(FileTree.Children())), at: path)
      }
      guard item.isDirectory == capturedContainer.tree[path]?.isDirectory else {
        throw StepFailure(
          "'\(start.container.escapedExcerpt)': '\(path)' is not a directory, as it is in every container; "
            + "name the folder of a container",
          .notAllowed)
      }
    }
    try chargeRestore(of: capturedContainer.tree, capturedContainer.size)
    try failingStepOnError(
      try disk.container?.materialise(
        capturedContainer.tree, from: emptyTree, contents: capturedContainer.contents))
    let scannedTree = try failingStepOnError(try disk.scan(expecting: capturedContainer.tree))
    transcript.firstTree = scannedTree
    try scannedTree.forEachItem { path, _ throws(StepFailure) in
      try updateDefaultsHistory(at: path, in: scannedTree)
    }
    device.containers = ContainerState(tree: scannedTree)
    currentStep = callerStep
  }

  /// Ends the app, and restores a backup from a folder, for example one that the Finder wrote.
  mutating func restore(
    from folder: Scenario.BackupFolderReference, to destination: RestoreSimulator.Destination
  ) throws(StepFailure) {
    try requireBackupsAllowed("restores from '\(folder.path.escapedExcerpt)'")
    guard let backupReader = runner.backupReader else {
      throw StepFailure(
        "this test cannot read the backup in '\(folder.path.escapedExcerpt)'; add the product BackupFolders to "
          + "the test target, import BackupFolders, and run the scenario with options: "
          + ".init(allowsBackups: true, backupReader: .finder)", .notAllowed)
    }
    let capturedContainer = try CapturedContainer(
      folder, tree.containerNames, for: scenario, by: backupReader)
    var decisions: [BackupSet.Decision] = []
    capturedContainer.tree.forEachItem { path, item in
      let itemKind = BackupSet.Decision.ItemKind(item)
      decisions.append(.init(path: path, kind: itemKind, verdict: .included(despite: [])))
    }
    let backup = FakeContainer.Backup(
      label: folder.label, tree: capturedContainer.tree, contents: BackupSet(decisions: decisions))
    // The kit cannot read the keychain in the folder, so it restores the keychain of the device.
    try replaceContainer(with: backup, device.keychainLeftByApp, .local, to: destination) {
      run throws(StepFailure) in
      try run.chargeRestore(of: capturedContainer.tree, capturedContainer.size)
      return capturedContainer.contents
    }
  }

  /// Throws if the run has no permission to read folders that the scenario file names.
  private func requireBackupsAllowed(_ useClause: String) throws(StepFailure) {
    guard !runner.permissions.contains(.folders) else { return }
    throw StepFailure(
      "this scenario \(useClause), which needs permission, because scenario files may be untrusted. If "
        + "you trust the file: scenario.run(options: .init(allowsBackups: true)) in a test, or "
        + "--allow-backups on the command line", .notAllowed)
  }
}
