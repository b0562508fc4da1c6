import BackupContainer
import BackupDevice
import BackupFileTree

extension ScenarioRun {
  /// Takes the app off the device; its data stays.
  mutating func offloadApp() throws(StepFailure) {
    try requireApp()
    endApp()
    noteKeptPaths()
    let before = try look()
    try list(before)
    let after = simulators.offload(before, offloadSimulator)
    state.app.isOffloaded = true
    try materialise(after, from: before) { part in
      .offload(lost: before.itemsMissing(in: part ?? after))
    }
  }

  /// Installs the app again: after an offload with its data, else as one that was deleted.
  mutating func reinstallApp() throws(StepFailure) {
    endApp()
    let before = try look()
    try list(before)
    state.app.hasRunInContainer = false
    guard !state.app.isOffloaded else {
      state.app.isOffloaded = false
      try onDisk(try disk.move())
      state.app.moveCount += 1
      return record(.reinstall(lost: []), tree: before)
    }
    let after = simulators.delete(before, offloadSimulator)
    if !profile.keychain.outlivesDeletion.value { state.keychain = [:] }
    try onDisk(try disk.replace())
    state.app.moveCount += 1
    try materialise(after, from: FileTree()) { part in
      .reinstall(lost: before.itemsMissing(in: part ?? after))
    }
  }

  /// Puts a file into the container as the system does, with the directories above it.
  mutating func place(
    _ contents: FileOperation.Contents, at path: ContainerPath
  ) throws(StepFailure) {
    try requireApp()
    var tree = self.tree
    if let parent = path.parent, !parent.isContainer {
      try perform(.createDirectory(parent, intermediates: true), in: &tree)
    }
    try perform(.write(path, contents, method: .atomically), in: &tree)
    record(.place(path), tree: tree)
  }

  func requireApp() throws(StepFailure) {
    guard state.app.isOffloaded else { return }
    var failure = StepFailure(StepKind.missingApp, canBeExpected: false)
    failure.isImpossible = true
    throw failure
  }

  /// What takes the app off the device.
  private var offloadSimulator: OffloadSimulator {
    OffloadSimulator(
      profile: profile, layout: profile.layout(bundleIdentifier: scenario.app.bundleIdentifier))
  }
}
