public import BackupScenarios
import BackupVerdicts
public import Foundation

extension Scenario {
  /// Every scenario below a folder, for the arguments of a test; of these, where the environment
  /// variable `BACKUP_TESTING_FILTER` is set, the ones that it names.
  ///
  /// ```swift
  /// @Test(arguments: try Scenario.all())
  /// func `the app survives`(_ scenario: Scenario) async {
  ///   await scenario.run()
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - folder: The scenario folder, relative to the folder of the test's file, or absolute.
  ///   - glob: Only scenarios whose id matches, such as `marks/**`.
  ///   - filePath: The test's file; leave it out.
  /// - Returns: The scenarios, by id; at least one.
  /// - Throws: `ScenarioFileError` with every mistake of every file at its line; `RunError` with
  ///   the code `.unreadable` where there is no such folder, `.noScenario` where no scenario is in
  ///   it or matches, or the variable leaves none, which would be a test of nothing, `.invalidPath`
  ///   where the glob is none.
  public static func all(
    in folder: String = "Scenarios", matching glob: String = "**", filePath: String = #filePath
  ) throws -> [Scenario] {
    let base = URL(fileURLWithPath: filePath).deletingLastPathComponent()
    return try all(at: URL(fileURLWithPath: folder, relativeTo: base), matching: glob)
  }

  /// Every scenario in a bundle, for tests that run where the sources are not: on a device.
  ///
  /// ```swift
  /// @Test(arguments: try Scenario.all(bundle: Bundle(for: AnyClassOfTheTests.self)))
  /// func `the app survives on a device`(_ scenario: Scenario) async {
  ///   await scenario.run()
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - folder: The folder in the bundle's resources.
  ///   - bundle: The bundle, such as `Bundle.module`.
  ///   - glob: Only scenarios whose id matches, such as `marks/**`.
  /// - Returns: The scenarios, by id; at least one.
  /// - Throws: As ``all(in:matching:filePath:)``.
  public static func all(
    in folder: String = "Scenarios", bundle: Bundle, matching glob: String = "**"
  ) throws -> [Scenario] {
    let resources = bundle.resourceURL ?? bundle.bundleURL
    return try all(at: resources.appendingPathComponent(folder), matching: glob)
  }

  /// Every scenario below a folder.
  private static func all(at folder: URL, matching glob: String) throws -> [Scenario] {
    let path = folder.standardizedFileURL.path
    let process = TestProcess.current
    let named = try ScenarioFolder(path: path).selecting(glob: glob)
    process.usage.note(folder: path)
    guard !named.files.isEmpty else {
      let filter = glob == "**" ? "" : " that '\(glob)' matches"
      throw RunError(
        .noScenario,
        "\(path): there is no scenario\(filter); a test of none would always pass")
    }
    let (scenarios, mistaken) = try process.filtered(named).read()
    for mistaken in mistaken { process.failed.note(mistaken.file.path, hasFailed: true) }
    process.beginReport(with: mistaken)
    guard mistaken.isEmpty else { throw ScenarioFileError(mistaken.flatMap(\.mistakes)) }
    return scenarios
  }
}
