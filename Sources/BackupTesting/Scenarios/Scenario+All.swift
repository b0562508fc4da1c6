import BackupContainer
import BackupDiagnostics
public import BackupScenarios
import BackupVerdicts
public import Foundation

extension Scenario {
  /// Returns all scenarios in a folder and its subfolders, as arguments for a test.
  ///
  /// A scenario file with mistakes also counts as a scenario: its run fails, and records an issue
  /// at the line of each mistake. The other scenarios run anyway.
  ///
  /// Two environment variables select scenarios:
  ///
  /// * `BACKUP_TESTING_FILTER` names the scenarios to return.
  /// * `BACKUP_TESTING_SHARD=2/8` asks for the second of eight shards. Bazel's variables for shards
  ///   have the same effect.
  ///
  /// ```swift
  /// @Test(arguments: try Scenario.all())
  /// func `the app survives`(_ scenario: Scenario) async {
  ///   await scenario.run()
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - folder: The path of the scenario folder, absolute or relative to the folder of the test's
  ///     file. By default, the kit looks for a folder `Scenarios` with scenario files beside the
  ///     test's file, and then in each folder above it. The last folder in which it looks is that
  ///     of the package, the Xcode project or the Git repository.
  ///   - glob: A glob that matches the ids of the scenarios to return, such as `marks/**`.
  ///   - filePath: The test's file. Do not pass this argument.
  /// - Returns: The scenarios, sorted by id. There is at least one, unless all scenarios that match
  ///   the glob are in other shards.
  /// - Throws: `RunError` with one of these codes:
  ///   - `.unreadable` if the folder does not exist.
  ///   - `.noScenario` if no scenario file in the folder matches both the glob and the environment
  ///     variables.
  ///   - `.invalidPath` if the glob is invalid.
  public static func all(
    in folder: String? = nil, matching glob: String = "**", filePath: String = #filePath
  ) throws -> [Scenario] {
    try TestProcess.current.addingFailure(in: filePath) {
      let testFolder = URL(fileURLWithPath: filePath).deletingLastPathComponent()
      let chosenFolder = folder.map { URL(fileURLWithPath: $0, relativeTo: testFolder) }
      return try all(at: chosenFolder ?? usualFolder(from: testFolder), matching: glob)
    }
  }

  /// Returns the nearest folder `Scenarios` with scenario files, in `testFolder` or in a folder
  /// above it.
  private static func usualFolder(from testFolder: URL) throws(RunError) -> URL {
    var searchedPaths: [String] = []
    for parent in testFolder.foldersOfProject {
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

  /// Returns all scenarios in a bundle, for tests that run on a device, which has no source files.
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
  /// - Returns: The scenarios, sorted by id. There is at least one, unless all scenarios that match
  ///   the glob are in other shards.
  /// - Throws: The errors that ``all(in:matching:filePath:)`` throws.
  public static func all(
    in folder: String = "Scenarios", bundle: Bundle, matching glob: String = "**"
  ) throws -> [Scenario] {
    let resources = bundle.resourceURL ?? bundle.bundleURL
    let folderURL = resources.appendingPathComponent(folder)
    return try TestProcess.current.addingFailure(in: folderURL.path) {
      try all(at: folderURL, matching: glob)
    }
  }

  private static func all(at folder: URL, matching glob: String) throws -> [Scenario] {
    let path = folder.standardizedFileURL.path
    let process = TestProcess.current
    let wholeFolder = try ScenarioFolder(path: path)
    let matchingFolder = try wholeFolder.selecting(glob: glob)
    process.actionUsage.addLoaded(folder: path)
    guard !matchingFolder.files.isEmpty else {
      let globPhrase = glob == "**" ? "" : " that '\(glob)' matches"
      throw RunError(
        .noScenario,
        "\(path): there is no scenario\(globPhrase), and a test of no scenario would always pass; add "
          + "one, or name another folder")
    }
    let filteredFolder = try process.selectingByFilter(matchingFolder)
    let (scenarios, mistakenFiles) =
      try process.selectingShard(filteredFolder, of: process.selectingByFilter(wholeFolder)).read()
    for mistakenFile in mistakenFiles {
      process.failedScenarios.record(mistakenFile.file.path, hasFailed: true)
    }
    process.beginReport(with: mistakenFiles)
    // If this function threw the mistakes, Swift Testing would run none of the scenarios.
    let mistakenScenarios = mistakenFiles.map {
      Scenario(mistaken: $0.mistakes, id: $0.file.id, file: $0.file.path)
    }
    let allScenarios = (scenarios + mistakenScenarios).sorted { $0.id < $1.id }
    return try process.selectingTag(allScenarios, in: path)
  }
}

extension URL {
  /// This folder and the folders above it, up to the folder of the package, the Xcode project or
  /// the Git repository. If this folder is in none of these, only this folder.
  fileprivate var foldersOfProject: [URL] {
    var folders = [standardizedFileURL]
    while let folder = folders.last, folder.path != "/" {
      // In a sandbox, the kit may not be able to list a folder. It then assumes no project in this
      // folder.
      let itemNames = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      let isProjectFolder = itemNames.contains { name in
        ["Package.swift", ".git"].contains(name)
          || [".xcodeproj", ".xcworkspace"].contains(where: name.hasSuffix)
      }
      if isProjectFolder { return folders }
      folders.append(folder.deletingLastPathComponent())
    }
    return [standardizedFileURL]
  }
}
