import BackupContainer
import BackupDiagnostics
import Foundation
import TestSupport
import Testing
import TrialSupport

@testable import BackupScenarios
@testable import BackupVerdicts

/// Links and other items that are not files, at the path of a golden file.
@Suite struct `In place of a golden file` {
  /// A folder with a golden folder and a private file beside it.
  let folder: TestFolder
  /// A scenario with the golden file `trial.golden`.
  let scenario: Scenario

  /// Contents that must not be shown to anyone who shares a golden folder.
  static let secret = "the private line"

  init() throws {
    folder = try TestFolder(["private": Self.secret, "Golden/b.golden": "# golden 2: b\n"])
    scenario = try Trial.scenario(["{ save: 'Documents/a', size: 1 }", "{ backup: 'a' }"])
  }

  /// Makes a link in the golden folder.
  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.url("Golden/\(name)").path, withDestinationPath: target)
  }

  /// Runs a scenario with the golden folder at a path.
  func result(
    _ mode: RecordMode, golden: String = "Golden", id: String = "trial"
  ) async throws -> ScenarioResult {
    try await Trial.result(
      try Trial.scenario(["{ save: 'Documents/a', size: 1 }", "{ backup: 'a' }"], id: id), mode,
      goldens: GoldenStore(folder: folder.url(golden).path))
  }

  @Test(arguments: RecordMode.allCases, ["../private", "ABSOLUTE", "../Golden/../private", "hop"])
  func `a link that leads out is neither shown nor overwritten`(
    mode: RecordMode, target: String
  ) async throws {
    try link("hop", to: "../private")
    try link("trial.golden", to: target == "ABSOLUTE" ? folder.url("private").path : target)
    let result = try await result(mode)
    #expect(result.verdict == .error)
    let problem = try #require(result.problems.first)
    #expect(
      problem.message.hasPrefix("\(folder.path)/Golden/trial.golden: this link leads out of "))
    #expect(!"\(result.problems)".contains(Self.secret) && result.expectedGolden == nil)
    #expect(try folder.text(of: "private") == Self.secret)
    let link = folder.url("Golden/trial.golden").path
    #expect(FileKind(at: link, followingLinks: false) == .link)
  }

  @Test(arguments: [RecordMode.missing, .all])
  func `a link to a missing file creates nothing outside`(mode: RecordMode) async throws {
    try link("trial.golden", to: "../made")
    try link("deep", to: "..")
    #expect(try await result(mode).verdict == .error)
    let resultBelowLink = try await result(mode, id: "deep/made")
    #expect(resultBelowLink.verdict == .error)
    #expect(
      resultBelowLink.problems.first?.message.contains("Golden/deep: this link leads out") == true)
    #expect(!folder.exists("made") && !folder.exists("made.golden"))
  }

  @Test func `links in a circle are an error`() async throws {
    try link("trial.golden", to: "other")
    try link("other", to: "trial.golden")
    let problem = try await result(.all).problems.first
    #expect(problem?.message.contains("this link leads in a circle") == true)
  }

  @Test func `a link within the folder is followed, however the folder's path is given`()
    async throws
  {
    try FileManager.default.createSymbolicLink(
      atPath: folder.url("named").path, withDestinationPath: "Golden")
    try link("trial.golden", to: folder.url("Golden/b.golden").path)
    try link("above", to: "../named")
    #expect(try await result(.never, golden: "named").verdict == .failed)
    #expect(try await result(.failed, golden: "named").verdict == .recorded)
    #expect(try await result(.never).verdict == .passed)
    #expect(try folder.text(of: "Golden/b.golden").contains("  in   Documents/a  1 byte"))
    #expect(try await result(.missing, id: "above/b").verdict == .passed)
  }

  @Test(arguments: RecordMode.allCases)
  func `a pipe is neither opened nor replaced`(mode: RecordMode) async throws {
    let path = folder.url("Golden/trial.golden").path
    try #require(mkfifo(path, 0o600) == 0)
    let result = try await result(mode)
    #expect(result.verdict == .error)
    #expect(result.problems.first?.message.contains("this is a pipe, not a file") == true)
    #expect(FileKind(at: path, followingLinks: false) == .pipe)
  }

  @Test(arguments: RecordMode.allCases)
  func `a folder is an error`(mode: RecordMode) async throws {
    try folder.makeFolder("Golden/trial.golden")
    let result = try await result(mode)
    #expect(result.verdict == .error)
    #expect(result.problems.first?.message.contains("this is a folder, not a file") == true)
  }

  @Test func `an accent at the start of a name does not combine with the slash before it`()
    async throws
  {
    let place = try TextFile.resolvedPath(of: "\u{301}folder/file", in: folder.url("Golden").path)
    #expect(Array(place.utf8).suffix(14) == Array("/\u{301}folder/file".utf8))
    try #require(symlink("../private", folder.path + "/Golden/\u{301}link") == 0)
    #expect(throws: LinkError.self) {
      try TextFile.resolvedPath(of: "\u{301}link", in: folder.url("Golden").path)
    }
  }

  /// Creates scenarios and a golden folder beside them that is a link. The private file is in the
  /// folder `elsewhere`.
  func linkGoldenFolder(to target: String) throws {
    try folder.makeFolder("package/Scenarios")
    try folder.makeFolder("package/Real")
    try folder.makeFolder("elsewhere")
    try folder.write(Self.secret, to: "elsewhere/trial.golden")
    try FileManager.default.createSymbolicLink(
      atPath: folder.url("package/Golden").path, withDestinationPath: target)
  }

  @Test(arguments: RecordMode.allCases)
  func `a golden folder that is a link out of the package is neither read nor written`(
    mode: RecordMode
  ) async throws {
    try linkGoldenFolder(to: "../elsewhere")
    let store = GoldenStore(besideScenarios: folder.url("package/Scenarios").path)
    let result = try await Trial.result(scenario, mode, goldens: store)
    #expect(result.verdict == .error)
    let message = try #require(result.problems.first?.message)
    #expect(message.hasPrefix("\(folder.path)/package/Golden: this link leads out of "))
    #expect(message.contains("or name the folder with --golden on the command line"))
    #expect(!"\(result.problems)".contains(Self.secret))
    #expect(try folder.text(of: "elsewhere/trial.golden") == Self.secret)
    #expect(throws: RunError.self) { try store.orphans(notOwnedBy: []) }
  }

  @Test func `a golden folder that is such a link is followed if the user names it`() async throws {
    try linkGoldenFolder(to: "../elsewhere")
    let golden = "package/Golden"
    #expect(try await result(.all, golden: golden).verdict == .recorded)
    #expect(try await result(.never, golden: golden).verdict == .passed)
  }

  @Test func `a golden folder that is a link within the package is followed`() async throws {
    try linkGoldenFolder(to: "Real")
    let store = GoldenStore(besideScenarios: folder.url("package/Scenarios").path)
    #expect(try await Trial.result(scenario, .all, goldens: store).verdict == .recorded)
    #expect(folder.files(in: "package/Real") == ["trial.golden"])
  }
}
