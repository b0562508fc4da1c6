import BackupContainer
import BackupDiagnostics
import BackupVerdicts
import Foundation

/// A package or an Xcode project, with the names that the `init` command needs.
///
/// The kit does not run the manifest of a package. It takes the names of folders as the names of
/// the targets, because the names are equal by convention.
struct TestedProject {
  let folder: String
  /// The name of the Xcode project or workspace, or nil for a package.
  let xcodeProject: String?
  /// The folder of the test target, as a path in the project's folder.
  let testFolder: String
  let appTarget: String
  let testFolderExists: Bool
  let hasScenarios: Bool

  var testTarget: String { testFolder.split(separator: "/").last.map(String.init) ?? testFolder }
  var module: String {
    let name = String(appTarget.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    return name.first?.isNumber == true ? "_\(name)" : name
  }

  init(at folder: String, tests: String?, app: String?) throws {
    let itemNames = try Self.names(in: folder)
    let isPackage = itemNames.contains("Package.swift")
    xcodeProject =
      isPackage
      ? nil
      : [".xcworkspace", ".xcodeproj"].lazy
        .compactMap { suffix in itemNames.first { $0.hasSuffix(suffix) } }.first
    guard isPackage || xcodeProject != nil else {
      throw CommandError(
        "\(folder): there is no Package.swift and no Xcode project; name the folder that has one, or "
          + "create a package with 'swift package init'")
    }
    self.folder = folder.withoutEndingSlash
    if let xcodeProject {
      let candidates = try Self.folders(in: folder).filter {
        $0.hasSuffix("Tests") && !$0.hasSuffix("UITests")
      }
      self.testFolder =
        try tests?.withoutEndingSlash
        ?? Self.only(candidates, nil, "--tests", "folders of test targets")
      self.appTarget = app ?? (xcodeProject as NSString).deletingPathExtension
    } else {
      let sourceTargets = try Self.folders(in: "\(folder)/Sources")
      let candidates = try Self.folders(in: "\(folder)/Tests").map { "Tests/\($0)" }
      let expectedPath =
        app.map { "Tests/\($0)Tests" } ?? sourceTargets.onlyElement.map { "Tests/\($0)Tests" }
      let testPath =
        try tests
        ?? Self.only(
          candidates.isEmpty ? [expectedPath].compactMap(\.self) : candidates, expectedPath,
          "--tests",
          "folders of test targets")
      let expectedTarget = testPath.split(separator: "/").last.map {
        String($0).replacing(/Tests$/, with: "")
      }
      self.testFolder = testPath.withoutEndingSlash
      self.appTarget =
        try app ?? Self.only(sourceTargets, expectedTarget, "--app", "targets in Sources")
    }
    testFolderExists = FileKind(at: "\(folder)/\(self.testFolder)", followingLinks: true) == .folder
    let scenariosPath = "\(folder)/\(ScenarioFolder.usualName)"
    hasScenarios =
      try FileKind(at: scenariosPath, followingLinks: true) == .folder
      && !ScenarioFolder(path: scenariosPath).files.isEmpty
    let testPathParts = self.testFolder.split(separator: "/").map(String.init)
    guard !self.testFolder.hasPrefix("/"), !testPathParts.contains(where: { $0.hasPrefix(".") })
    else {
      throw CommandError(
        "--tests: '\(self.testFolder)' is not a path below the project's folder, such as "
          + "Tests/CinemaTests")
    }
    for name in testPathParts + [self.appTarget] { try Self.requireName(name) }
  }

  /// Returns the preferred name if it is in the list, or else the only name of the list. If the
  /// list has no name or several, throws an error that names the option to use.
  private static func only(
    _ names: [String], _ preferred: String?, _ option: String, _ noun: String
  ) throws -> String {
    if let preferred, names.contains(preferred) { return preferred }
    if let onlyElement = names.onlyElement { return onlyElement }
    let obstacle =
      names.isEmpty
      ? "there are no \(noun)" : "there are several \(noun) (\(names.joined(separator: ", ")))"
    throw CommandError("\(obstacle); name the right one with \(option)")
  }

  private static func names(in folder: String) throws -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      throw CommandError("\(folder): the folder cannot be read: \(error.reason)")
    }
  }

  /// Returns the names of the folders in a folder. Returns none if the folder does not exist.
  private static func folders(in folder: String) throws -> [String] {
    guard FileKind(at: folder, followingLinks: true) == .folder else { return [] }
    return try names(in: folder).filter { name in
      !name.hasPrefix(".") && FileKind(at: "\(folder)/\(name)", followingLinks: true) == .folder
    }
  }

  /// Throws an error for an invalid name of a target. This is necessary because the names become
  /// part of Swift code.
  private static func requireName(_ name: String) throws {
    guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || " -_+.".contains($0) })
    else {
      throw CommandError(
        "'\(name)' is not the name of a target; expected letters, digits, ' ', '-', '_', '+' or '.'"
      )
    }
  }
}

extension Array {
  fileprivate var onlyElement: Element? { count == 1 ? first : nil }
}
