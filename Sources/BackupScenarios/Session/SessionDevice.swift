package import BackupContainer
package import BackupDevice
package import BackupFileTree

/// What the system can do in a test without a scenario file.
package struct SessionDevice {
  var run: ScenarioRun

  package mutating func backUp(_ label: String) throws(RunError) -> FakeContainer.Backup {
    let name = run.state.backups[label] == nil ? label : freeLabel(like: label)
    return try RunError.rethrowing { () throws(StepFailure) in
      try run.takeBackup(name)
      guard let backup = run.latestBackup else { throw StepFailure("no backup was taken") }
      return backup
    }
  }

  /// A label that no backup has: the one given with the first number that is free, from 2 on.
  private mutating func freeLabel(like label: String) -> String {
    var number = run.nextNumbers[label] ?? 2
    while run.state.backups["\(label) \(number)"] != nil { number += 1 }
    run.nextNumbers[label] = number
    return "\(label) \(number)"
  }

  /// What the transcript would be if a backup were taken now, which is the last thing in it.
  package func trialBackup() throws(RunError) -> Transcript {
    var trial = self
    trial.run.archivesEveryBackup = false
    try RunError.rethrowing { () throws(StepFailure) in try trial.run.takeBackup("next") }
    return trial.run.transcript
  }

  package mutating func endApp() { run.endApp() }

  package mutating func purge(
    _ pressure: PurgeSimulator.Pressure
  ) throws(RunError) -> [FileTree.LostItem] {
    try RunError.rethrowing { () throws(StepFailure) in try run.purge(pressure) }
    if case .purge(_, let taken) = run.transcript.entries.last?.event { return taken }
    return []
  }

  package mutating func updateApp(
    to version: String, keeping: [ContainerPath], losing: [PathPattern]
  ) throws(RunError) {
    try requireApp()
    try RunError.rethrowing { () throws(StepFailure) in
      try run.updateApp(to: version, keeping: keeping, losing: losing)
    }
  }

  package mutating func updateSystem(to profile: SystemProfile) throws(RunError) {
    try RunError.rethrowing(.systemNotLater) { () throws(StepFailure) in
      try run.updateSystem(to: profile)
    }
  }

  package mutating func restore(
    _ label: String, to destination: RestoreSimulator.Destination
  ) throws(RunError) {
    try RunError.rethrowing { () throws(StepFailure) in try run.restore(label, to: destination) }
  }

  package mutating func place(
    _ contents: FileOperation.Contents, at path: ContainerPath
  ) throws(RunError) {
    try requireApp()
    try RunError.rethrowing(.invalidPath) { () throws(StepFailure) in
      try run.place(contents, at: path)
    }
  }

  package mutating func offloadApp() throws(RunError) {
    try requireApp()
    try RunError.rethrowing { () throws(StepFailure) in try run.offloadApp() }
  }

  package mutating func reinstallApp() throws(RunError) {
    try RunError.rethrowing { () throws(StepFailure) in try run.reinstallApp() }
  }

  func requireApp() throws(RunError) {
    guard run.state.app.isOffloaded else { return }
    throw RunError(
      .notInstalled,
      "the app is offloaded and cannot do anything; call 'reinstallApp()' first")
  }
}
