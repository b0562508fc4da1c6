import BackupTesting
import Cinema
import Foundation
import Testing

/// The app with one thing wrong in its code, and the rule that has to say so.
///
/// The scenario is one that the right app passes without a finding.
struct BrokenApp: Sendable {
  let name: String
  /// The scenario that shows it, by its id.
  let scenario: String
  /// The rules that it breaks: what it is caught by.
  let rules: Set<String>
  /// A text in the line of code that the finding must name; nil if no code is at fault.
  let fault: String?
  /// The app's actions, with the broken code in place of the right one.
  let actions: AppActions

  /// The right app but for the actions that `breaking` binds anew.
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

  /// One for each thing that goes wrong in real apps, each in a file of its own.
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
  /// What is wrong, as the test case's name.
  var testDescription: String { name }
}

extension CinemaApp {
  /// What the app does at each start, but for the movies.
  func launchWithoutMovies() throws {
    _ = try identity.key()
    _ = try catalogue.open()
  }
}

extension MovieStore {
  /// Moves a finished download into place and marks nothing.
  func keepUnmarked(_ download: URL, as movie: Int) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = file(of: movie)
    if FileManager.default.fileExists(atPath: file.path) {
      try FileManager.default.removeItem(at: file)
    }
    try FileManager.default.moveItem(at: download, to: file)
  }
}
