package import BackupScenarios

/// A scenario file that cannot be read as one; an entry of every report.
package struct MistakenFile: Sendable {
  /// The file and the id that its scenario would have.
  package let file: ScenarioFolder.File
  /// What is wrong with it, in the order of the file.
  package let mistakes: [Scenario.Diagnostic]
}
