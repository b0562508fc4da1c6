#if os(macOS) || os(Linux)
import BackupTesting
import Foundation
import Testing

/// An app shares files with an extension, which has its own process and container.
@Suite struct SharingAppTests {
  /// The scenario's key that declares a group and an extension.
  private static let head =
    "app: { groups: ['\(SharingApp.group)'], extensions: ['\(SharingApp.widget)'] },"
  /// The path of the widget's directory Documents.
  private static let documents = "\(SharingApp.widget):/Documents"

  /// A step that expects a file of the widget.
  private static func expectFile(_ name: String, _ contents: String) -> String {
    "{ expectFile: { path: '\(documents)/\(name)', contents: '\(contents)' } }"
  }

  @Test func `an extension reads a file that the app saved in the group's container`() async throws
  {
    let trial = try await AppTrial(
      SharingApp.self,
      [
        "{ perform: 'share' }", "{ perform: 'timeline', in: '\(SharingApp.widget)' }",
        Self.expectFile("timeline.txt", "shared 1 true"),
        Self.expectFile("launch.txt", "\(SharingApp.widget) 1"),
        "{ expectFile: { path: 'Documents/launch.txt', contents: 'com.example.app 1' } }",
      ], head: Self.head)
    #expect(trial.failure == nil && trial.errors.isEmpty, "\(trial.seen)")
    #expect(trial.files.contains("\(SharingApp.group):/shared.txt"))
  }

  @Test func `an extension has its own launches, and does not need a running app`() async throws {
    let trial = try await AppTrial(
      SharingApp.self,
      [
        "{ perform: 'share' }", "{ kill: {} }",
        "{ perform: 'timeline', in: '\(SharingApp.widget)' }",
        "{ perform: 'timeline', in: '\(SharingApp.widget)' }",
        Self.expectFile("timeline.txt", "shared 2 true"),
        "{ purge: 'lowStorage' }", "{ perform: 'timeline', in: '\(SharingApp.widget)' }",
        Self.expectFile("timeline.txt", "shared 1 true"),
        Self.expectFile("launch.txt", "\(SharingApp.widget) 2"),
        "{ expectFile: { path: 'Documents/launch.txt', contents: 'com.example.app 1' } }",
      ], head: Self.head)
    #expect(trial.failure == nil && trial.errors.isEmpty, "\(trial.seen)")
  }

  @Test func `an undeclared extension is a mistake on its line`() async throws {
    let trial = try await AppTrial(
      SharingApp.self, ["{ perform: 'timeline', in: 'com.example.app.x' }"])
    #expect(trial.errors.map(\.line) == [2])
  }

  @Test(
    .container(groups: [SharingApp.group], extensions: [SharingApp.widget]))
  func `a test without a scenario launches app and extension`() async throws {
    let container = try FakeContainer.current
    let app = try await container.launch(SharingApp.self)
    try await app.perform("share")
    let widget = try await container.launch(SharingApp.self, extension: SharingApp.widget)
    try await widget.perform("timeline")
    #expect(!app.hasEnded)
    let documents = try #require(container.url(ofExtension: SharingApp.widget))
      .appendingPathComponent("Documents")
    let line = try String(
      contentsOf: documents.appendingPathComponent("timeline.txt"), encoding: .utf8)
    #expect(line == "shared 1 true")
    try container.purge()
    #expect(app.hasEnded && widget.hasEnded)
  }

  @Test(.container) func `an extension that the container does not have is refused`() async throws {
    let container = try FakeContainer.current
    let error = await #expect(throws: RunError.self) {
      try await container.launch(SharingApp.self, extension: SharingApp.widget)
    }
    #expect(error?.code == .invalidApp && error?.description.contains("extensions:") == true)
  }
}
#endif
