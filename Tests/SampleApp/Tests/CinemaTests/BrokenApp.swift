import BackupTesting
import Cinema
import Foundation
import Testing

/// The app with one fault in its code, and the rules that report this fault.
///
/// Without the fault, the app passes the scenario without a finding.
struct BrokenApp: Sendable {
  let name: String
  /// The id of the scenario that shows the fault.
  let scenario: String
  /// The names of the rules that report the fault.
  let rules: Set<String>
  /// A text in the line of code that the finding must name; nil if no code is at fault.
  let fault: String?
  /// The app's actions, some of them with the fault.
  let actions: AppActions

  /// Creates the app with its correct actions, except for those that `breaking` replaces.
  init(
    _ name: String, in scenario: String, caughtBy rules: String..., at fault: String? = nil,
    breaking: (inout AppActions) -> Void
  ) {
    var actions = AppActions.cinema
    breaking(&actions)
    self.name = name
    self.scenario = scenario
    self.rules = Set(rules)
    self.fault = fault
    self.actions = actions
  }

  /// Faults that real apps have. Each fault has a file of its own.
  static let all: [BrokenApp] =
    [
      marksBeforeMoving, marksBetweenSaves, marksAtFirstSaveOnly, marksNewFoldersOnly,
      marksAtNextLaunch,
      marksFolderOnce, setsOldAttributeOnly, marksDatabaseFileOnly, invertsSetting,
      takesLibraryDefault, trustsMarker, storesAbsolutePath, looksForStoredPath,
      downloadsBesideDocuments, beginsAgainOnNewPhone,
      makesCacheFolderOnce, bringsThirdPartyFolder, backsUpIdentity, exportsMark,
    ] + marksSystemDirectory + keepsMoviesInPurgeablePlace
}

extension BrokenApp: CustomTestStringConvertible {
  /// The fault, as the name of the test case.
  var testDescription: String { name }
}

extension CinemaApp {
  /// Prepares the stores at a launch, without marking the folder of the movies.
  func launchWithoutMovies() throws {
    _ = try identity.key()
    _ = try catalogue.open()
  }
}

extension MovieStore {
  /// Moves a finished download to its place, without a mark.
  func keepUnmarked(_ download: URL, as movie: Int) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = file(of: movie)
    if FileManager.default.fileExists(atPath: file.path) {
      try FileManager.default.removeItem(at: file)
    }
    try FileManager.default.moveItem(at: download, to: file)
  }
}
