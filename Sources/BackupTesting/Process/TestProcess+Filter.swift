import BackupScenarios
import BackupVerdicts

extension TestProcess {
  /// The environment variable that says which scenarios run: a glob, or ``failedWord``.
  static let filterVariable = "BACKUP_TESTING_FILTER"
  /// What the variable says for the scenarios that failed when they last ran.
  private static let failedWord = "failed"

  /// The scenario files of a folder that the environment asks for; it is an error if none is left,
  /// which would be a test of nothing.
  func filtered(_ folder: ScenarioFolder) throws(RunError) -> ScenarioFolder {
    guard let filter = environment[Self.filterVariable], !filter.isEmpty, !folder.files.isEmpty
    else { return folder }
    let isFailedOnly = filter == Self.failedWord
    let found =
      isFailedOnly
      ? folder.selecting { failed.paths.contains($0.path) } : try selecting(filter, of: folder)
    guard found.files.isEmpty else { return found }
    let missing =
      isFailedOnly
      ? "no scenario in \(folder.path) failed in its last run, according to \(failed.place)"
      : "no scenario in \(folder.path) matches '\(filter)'"
    throw RunError(
      .noScenario,
      "\(Self.filterVariable): \(missing), and a test of no scenario would always "
        + "pass; correct or unset the variable")
  }

  /// The files that the variable's glob matches.
  private func selecting(
    _ glob: String, of folder: ScenarioFolder
  ) throws(RunError) -> ScenarioFolder {
    do throws(RunError) {
      return try folder.selecting(glob: glob)
    } catch {
      throw RunError(error.code, "\(Self.filterVariable): \(error)", from: error)
    }
  }
}
