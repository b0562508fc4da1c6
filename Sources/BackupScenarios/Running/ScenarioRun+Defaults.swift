import BackupFileTree

extension ScenarioRun {
  mutating func setDefaults(
    _ newDefaults: [UserDefault], in suite: String?
  ) throws(StepFailure) {
    var (path, values) = try preferences(of: suite)
    for newDefault in newDefaults { values[newDefault.key] = newDefault.value }
    device.valuesOfOtherDevice.subtract(newDefaults.map(\.key))
    let contents = FileOperation.Contents.text(values.propertyListText)
    // A daemon writes user defaults. A kill of the app does not end the daemon, so the only crash
    // point is before the write.
    try killIfPlanned(in: [.write(path, contents, at: 0)])
    if let directory = path.parent, try currentTree()[directory] == nil {
      try performWithoutKill(.createDirectory(directory, intermediates: true))
    }
    try performWithoutKill(.write(path, contents, method: .atomically))
  }

  /// Returns the user defaults of the app, or of a suite, and the path of their file, which may not
  /// exist.
  func preferences(of suite: String?) throws(StepFailure) -> (
    path: ContainerPath, values: [String: StoredValue]
  ) {
    guard let path = scenario.app.preferencesPath(of: suite, in: currentExtension) else {
      throw StepFailure(
        "the app's bundle identifier cannot be the name of a file, so it has no user defaults")
    }
    guard let item = try currentTree()[path] else { return (path, [:]) }
    guard item.size != nil else {
      throw StepFailure(FileOperation.Failure(item.isDirectory ? .isADirectory : .notAFile, path))
    }
    do {
      return (path, try [String: StoredValue](preferences: try bytes(of: path)))
    } catch let failure as StepFailure {
      throw failure
    } catch {
      throw StepFailure(
        "'\(path)' is not a property list of texts, numbers, true and false, the only values that "
          + "this step supports; let the app's own code read and write it, with 'perform'")
    }
  }
}
