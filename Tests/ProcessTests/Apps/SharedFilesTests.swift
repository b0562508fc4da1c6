#if os(macOS) || os(Linux)
import BackupTesting
import Foundation
import TestSupport
import Testing

@testable import BackupScenarios
@testable import BackupTesting

/// An app that does not mark a movie, although the movie has the class `offline`.
enum MovieApp: AppUnderTest {
  static let files: KeyValuePairs<String, DataClass> = ["Documents/*.mp4": .offline]
  static let actions: AppActions = [
    "download": { try Data(count: 10).write(to: $0.container.documents.file("1.mp4")) }
  ]
}

/// An app like `MovieApp` whose movie has the class `support`.
enum OtherMovieApp: AppUnderTest {
  static let files: KeyValuePairs<String, DataClass> = ["Documents/*.mp4": .support]
  static let actions = MovieApp.actions
}

/// Each test of an app uses the classes that the app declares in `files`.
@Suite struct SharedFilesTests {
  private static let scenario = """
    { title: 'A movie', golden: { compare: false }, FILES
      steps: [{ perform: 'download' }, { backup: 'a' }] }
    """

  /// Runs the scenario with `MovieApp`, and returns the texts of the issues.
  ///
  /// `files` is a key of the scenario, and `appFile` is the text of the file `app.json5`, if any.
  private func issues(_ files: String = "", appFile: String? = nil) async throws -> [String] {
    var texts = ["a.json5": Self.scenario.replacing("FILES", with: files)]
    texts["app.json5"] = appFile
    let folder = try TestFolder()
    for (name, text) in texts { try folder.write(text, to: "Scenarios/\(name)") }
    let process = TestProcess(environment: [:], folder: folder.url)
    return try await TestProcess.$current.withValue(process) {
      let scenario = try #require(try Scenario.all(in: "\(folder.path)/Scenarios").first)
      return await TestIssue.collecting { await scenario.run(MovieApp.self) }.map(\.text)
    }
  }

  @Test func `a scenario's own classes come before the app's classes`() async throws {
    #expect(try await issues().contains { $0.contains("recreatable-data-backed-up") })
    #expect(try await issues("files: { '**/1.mp4': 'critical' },").isEmpty)
  }

  @Test func `app.json5 must have the same class, or the error names both places`() async throws {
    let same = try await issues(appFile: "{ files: { 'Documents/*.mp4': 'offline' } }")
    #expect(same.contains { $0.contains("recreatable-data-backed-up") })
    let other = try await issues(appFile: "{ files: { 'Documents/*.mp4': 'support' } }")
    #expect(other.count == 1)
    #expect(
      other.first?.contains("Scenarios/app.json5:1:12 is offline in MovieApp.files") == true,
      "\(other)")
  }

  @Test(.container(findings: .ignored))
  func `a test that launches the app uses the app's classes`() async throws {
    let container = try FakeContainer.current
    try await container.launch(MovieApp.self).perform("download")
    try container.backUp()
    #expect(try container.findings().map(\.rule) == ["recreatable-data-backed-up"])
    // A second launch of the same app is no conflict.
    _ = try await container.launch(MovieApp.self)
    let error = await #expect(throws: RunError.self) {
      try await container.launch(OtherMovieApp.self)
    }
    #expect(
      error?.description.contains("in MovieApp.files is support in OtherMovieApp.files") == true)
  }

  @Test(.container(files: ["Documents/1.mp4": .critical]))
  func `classes of the container trait come before the app's classes`() async throws {
    let container = try FakeContainer.current
    try await container.launch(MovieApp.self).perform("download")
    try container.backUp()
    try container.expectNoFindings()
  }
}
#endif
