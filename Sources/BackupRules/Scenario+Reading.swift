import BackupContainer
public import BackupDiagnostics
public import BackupScenarios
import Foundation

extension Scenario {
  /// Reads one scenario file, with the classes in the nearest `app.json5`.
  ///
  /// - Parameters:
  ///   - path: The file's path, absolute or relative to the working directory.
  ///   - id: The scenario's id, which names its golden file. It is the end of the path, without the
  ///     extension. The rest of the path is the scenario folder. The kit looks for `app.json5` from
  ///     the file's folder up to the scenario folder, or up to a folder `Scenarios` that contains
  ///     the scenario folder.
  /// - Throws: ``RunError`` with the code `.invalidScenario` and every mistake at its line.
  public init(contentsOf path: String, id: String) throws(RunError) {
    let scenario = try Scenario(aloneAt: path, id: id)
    guard let file = try AppFile.nearest(to: path, id: id),
      let files = try AppFile.classes(in: file)
    else {
      self = scenario
      return
    }
    self = try scenario.adding(sharedPromises: files)
  }

  /// Reads one scenario file, without the classes in `app.json5`.
  package init(aloneAt path: String, id: String) throws(RunError) {
    self = try ScenarioReader.read(
      try bytes(at: path), id: id, file: path, rules: RuleList.names)
  }

  /// Reads a scenario from the text of a scenario file.
  ///
  /// - Parameters:
  ///   - text: The JSON5 text.
  ///   - id: The scenario's id.
  ///   - file: The file name that messages use.
  /// - Throws: ``RunError`` with the code `.invalidScenario` and every mistake at its line.
  public init(
    text: String, id: String = "scenario", file: String = "scenario.json5"
  ) throws(RunError) {
    self = try ScenarioReader.read(Array(text.utf8), id: id, file: file, rules: RuleList.names)
  }
}

extension AppFile {
  /// Returns the path of the `app.json5` that is nearest to a scenario file; nil if none exists.
  ///
  /// - Throws: ``RunError`` with the code `.invalidScenario` if the nearest item of this name is
  ///   not a file.
  package static func nearest(to scenario: String, id: String) throws(RunError) -> String? {
    let paths = paths(
      above: scenario, id: id, from: FileManager.default.currentDirectoryPath)
    for path in paths {
      let kind: FileKind?
      do throws(RegularFile.AccessError) {
        kind = try FileKind.ofItem(at: path, followingLinks: false)
      } catch {
        throw mistake(in: path, "this cannot be examined: \(error.reason)")
      }
      switch kind {
      case .file: return path
      case nil, .folder: continue
      case .link, .pipe, .socket, .device:
        let kindInWords = kind?.inWords ?? ""
        throw mistake(
          in: path,
          "this is \(kindInWords), but the classes of the app's files must be in a file; put the file itself "
            + "in its place, or rename it")
      }
    }
    return nil
  }

  /// Reads the classes in an `app.json5`. Returns nil if the file has no classes.
  ///
  /// - Throws: ``RunError`` with the code `.invalidScenario` and every mistake at its line.
  package static func classes(in path: String) throws(RunError) -> FilePromises? {
    try ScenarioReader.readAppFile(try bytes(at: path), file: path)
  }
}

private func bytes(at path: String) throws(RunError) -> [UInt8] {
  do throws(RegularFile.AccessError) {
    return try RegularFile.bytes(
      at: path, upTo: ScenarioReader.maximumFileSize + 1, followingLinks: true)
  } catch {
    throw mistake(in: path, "the file cannot be read: \(error.reason)")
  }
}

private func mistake(in path: String, _ message: String) -> RunError {
  RunError([ScenarioDiagnostic(file: path, position: .start, message: message)])
}
