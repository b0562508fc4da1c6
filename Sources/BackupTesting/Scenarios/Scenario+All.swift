import BackupContainer
import BackupDiagnostics
public import BackupScenarios
import BackupVerdicts
public import Foundation

extension Scenario {
  /// Returns every scenario below a folder, as arguments for a test.
  ///
  /// A scenario file with mistakes is one of them: its run fails, and records each mistake at its line. The
  /// others run all the same.
  ///
  /// If the environment variable `BACKUP_TESTING_FILTER` is set, only the scenarios that it names
  /// are returned. With `BACKUP_TESTING_SHARD=2/8`, or in Bazel's shards, only a part is returned.
  ///
  /// ```swift
  /// @Test(arguments: try Scenario.all())
  /// func `the app survives`(_ scenario: Scenario) async {
  ///   await scenario.run()
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - folder: The scenario folder, relative to the folder of the test's file, or absolute. By
  ///     default the first folder `Scenarios` with scenario files that is beside the test's file or
  ///     in a folder above it, up to the folder of the package, the Xcode project or the Git repository.
  ///   - glob: A glob that matches the ids of the scenarios to return, such as `marks/**`.
  ///   - filePath: The test's file; leave it out.
  /// - Returns: The scenarios, in the order of their ids; at least one, except in a shard that has
  ///   others of the folder.
  /// - Throws: `RunError` with the code `.unreadable` if there is no such folder, `.noScenario` if the
  ///   folder has no scenario, or if the glob or an environment variable leaves none,
  ///   `.invalidPath` if the glob is invalid.
  public static func all(
    in folder: String? = nil, matching glob: String = "**", filePath: String = #filePath
  ) throws -> [Scenario] {
    try TestProcess.current.addingFailure(in: filePath) {
      let base = URL(fileURLWithPath: filePath).deletingLastPathComponent()
      let named = folder.map { URL(fileURLWithPath: $0, relativeTo: base) }
      return try all(at: named ?? usualFolder(from: base), matching: glob)
    }
  }

  /// Returns the first folder `Scenarios` with scenario files, from a folder upward.
  private static func usualFolder(from base: URL) throws(RunError) -> URL {
    var searchedPaths: [String] = []
    for parent in base.foldersOfProject {
      let folder = parent.appendingPathComponent(ScenarioFolder.usualName)
      searchedPaths.append(folder.path)
      guard FileKind(at: folder.path, followingLinks: true) == .folder,
        try !ScenarioFolder(path: folder.path).files.isEmpty
      else { continue }
      return folder
    }
    throw RunError(
      .noScenario,
      "there is no folder '\(ScenarioFolder.usualName)' with a scenario in it; create it, or name "
        + "another folder with 'in:', or with 'all(bundle:)' on a device. Looked for: "
        + "\(searchedPaths.joined(separator: ", "))")
  }

  /// Returns every scenario in a bundle, for tests that run without the sources, on a device.
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
  ///   - glob: A glob that matches the ids of the scenarios to return, such as `marks/**`.
  /// - Returns: The scenarios, in the order of their ids; at least one, except in a shard that has
  ///   others of the folder.
  /// - Throws: The errors that ``all(in:matching:filePath:)`` throws.
  public static func all(
    in folder: String = "Scenarios", bundle: Bundle, matching glob: String = "**"
  ) throws -> [Scenario] {
    let resources = bundle.resourceURL ?? bundle.bundleURL
    let place = resources.appendingPathComponent(folder)
    return try TestProcess.current.addingFailure(in: place.path) {
      try all(at: place, matching: glob)
    }
  }

  private static func all(at folder: URL, matching glob: String) throws -> [Scenario] {
    let path = folder.standardizedFileURL.path
    let process = TestProcess.current
    let whole = try ScenarioFolder(path: path)
    let named = try whole.selecting(glob: glob)
    process.usage.note(folder: path)
    guard !named.files.isEmpty else {
      let filter = glob == "**" ? "" : " that '\(glob)' matches"
      throw RunError(
        .noScenario,
        "\(path): there is no scenario\(filter), and a test of no scenario would always pass; add "
          + "one, or name another folder")
    }
    let files = try process.filtered(named)
    let (scenarios, mistaken) = try process.inShard(files, of: process.filtered(whole)).read()
    for mistaken in mistaken { process.failed.note(mistaken.file.path, hasFailed: true) }
    process.beginReport(with: mistaken)
    // An error here would keep Swift Testing from running the other scenarios, and would not show the mistakes.
    let mistakenScenarios = mistaken.map {
      Scenario(mistaken: $0.mistakes, id: $0.file.id, file: $0.file.path)
    }
    let all = (scenarios + mistakenScenarios).sorted { $0.id < $1.id }
    return try process.tagged(all, in: path)
  }
}

extension URL {
  /// This folder and the folders above it, up to that of the package, the Xcode project or the repository; only this
  /// folder if there is none of these.
  fileprivate var foldersOfProject: [URL] {
    var folders = [standardizedFileURL]
    while let last = folders.last, last.path != "/" {
      // A folder that cannot be listed, such as one above a sandbox, counts as one without a project.
      let names = (try? FileManager.default.contentsOfDirectory(atPath: last.path)) ?? []
      let isTop = names.contains { name in
        ["Package.swift", ".git"].contains(name)
          || [".xcodeproj", ".xcworkspace"].contains(where: name.hasSuffix)
      }
      if isTop { return folders }
      folders.append(last.deletingLastPathComponent())
    }
    return [standardizedFileURL]
  }
}
