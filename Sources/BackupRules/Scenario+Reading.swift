import BackupContainer
public import BackupDiagnostics
public import BackupScenarios

extension Scenario {
  /// Reads one scenario file.
  ///
  /// - Parameters:
  ///   - path: The file's path, absolute or relative to the working directory.
  ///   - id: The scenario's id, which names its golden file.
  /// - Throws: ``RunError`` with the code `.invalidScenario` and every mistake at its line.
  public init(contentsOf path: String, id: String) throws(RunError) {
    let bytes: [UInt8]
    do throws(RegularFile.Obstacle) {
      bytes = try RegularFile.bytes(
        at: path, upTo: ScenarioReader.largestFile + 1, followingLinks: true)
    } catch {
      let message = "the file cannot be read: \(error.reason)"
      let start = SourcePosition.start
      throw RunError([ScenarioDiagnostic(file: path, position: start, message: message)])
    }
    self = try ScenarioReader.read(bytes, id: id, file: path, rules: RuleList.names)
  }

  /// Reads a scenario from text; for tests that write one in place.
  ///
  /// - Parameters:
  ///   - text: The JSON5 text.
  ///   - id: The scenario's id.
  ///   - file: What messages name the text by.
  /// - Throws: ``RunError`` with the code `.invalidScenario` and every mistake at its line.
  public init(
    text: String, id: String = "scenario", file: String = "scenario.json5"
  ) throws(RunError) {
    self = try ScenarioReader.read(Array(text.utf8), id: id, file: file, rules: RuleList.names)
  }
}
