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
      ? "none of the scenarios in \(folder.path) failed when it last ran, by \(failed.place)"
      : "there is no scenario in \(folder.path) that '\(filter)' matches"
    throw RunError(
      .noScenario, "\(Self.filterVariable): \(missing); a test of none would always pass")
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
