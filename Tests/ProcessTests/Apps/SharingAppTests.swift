#if os(macOS) || os(Linux)
import BackupTesting
import Foundation
import Testing

/// What an app shares with its extensions, each in a process and a container of its own.
@Suite struct SharingAppTests {
  /// The containers beside the app's.
  private static let head =
    "app: { groups: ['\(SharingApp.group)'], extensions: ['\(SharingApp.widget)'] },"
  /// Where the widget's files are.
  private static let documents = "\(SharingApp.widget):/Documents"

  /// A step by which a file of the widget's is expected.
  private static func expectFile(_ name: String, _ contents: String) -> String {
    "{ expectFile: { path: '\(documents)/\(name)', contents: '\(contents)' } }"
  }

  @Test func `an extension reads what the app has put into the group's container`() async throws {
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

  @Test func `an extension has launches of its own, and needs no app that runs`() async throws {
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

  @Test func `an extension that the app has not is a mistake at its name`() async throws {
    let trial = try await AppTrial(
      SharingApp.self, ["{ perform: 'timeline', in: 'com.example.app.x' }"])
    #expect(trial.errors.map(\.line) == [2])
  }

  @Test(
    .container(groups: [SharingApp.group], extensions: [SharingApp.widget]))
  func `a plain test launches app and extension`() async throws {
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

  @Test(.container) func `an extension that the container is without is refused`() async throws {
    let container = try FakeContainer.current
    let error = await #expect(throws: RunError.self) {
      try await container.launch(SharingApp.self, extension: SharingApp.widget)
    }
    #expect(error?.code == .invalidApp && error?.description.contains("extensions:") == true)
  }
}
#endif
