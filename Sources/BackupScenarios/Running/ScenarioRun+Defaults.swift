import BackupDiagnostics
import BackupFileTree

extension ScenarioRun {
  /// The app's defaults, by their keys.
  func defaults() throws(StepFailure) -> [String: DefaultValue] { try preferences().file.values }

  mutating func setDefaults(
    _ changes: [(key: String, value: DefaultValue)]
  ) throws(StepFailure) {
    var (path, file) = try preferences()
    file.set(changes)
    let writing = FileOperation.write(path, .text(file.text), method: .atomically)
    // A daemon writes them, which lives on where the app is killed.
    try meetKill(in: [FileOperation.Piece(kind: .write, path: path, operation: writing)])
    if let directory = path.parent, try look()[directory] == nil {
      try carryOut(.createDirectory(directory, intermediates: true))
    }
    try carryOut(writing)
  }

  /// The app's defaults, and where they are; one that has none has an empty file to be.
  private func preferences() throws(StepFailure) -> (path: ContainerPath, file: PreferencesFile) {
    guard let path = scenario.app.preferences else {
      throw StepFailure("the app's bundle identifier names no file")
    }
    guard let item = try look()[path] else { return (path, PreferencesFile()) }
    guard item.size != nil else {
      throw StepFailure(FileOperationError(item.isDirectory ? .isADirectory : .notAFile, path))
    }
    do {
      return (path, try PreferencesFile(try bytes(of: path)))
    } catch let failure as StepFailure {
      throw failure
    } catch {
      throw StepFailure(
        "'\(path)' is no property list of texts, numbers, true and false, which are all that this "
          + "step knows; let the app's own code read and write it, by 'perform'")
    }
  }
}
