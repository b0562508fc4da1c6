#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupTesting

/// A test without a scenario launches an app.
@Suite(.container) struct LaunchedAppTests {
  /// Launches `HabitsApp` in the test's container.
  private func launch() async throws -> (FakeContainer, FakeContainer.LaunchedApp) {
    let container = try FakeContainer.current
    return (container, try await container.launch(HabitsApp.self))
  }

  @Test func `the app performs an action with arguments`() async throws {
    let (container, app) = try await launch()
    try await app.perform("save", with: ["name": "a.json"])
    #expect(try container.backUp().contains("Documents/a.json"))
  }

  @Test func `the app's output is shown after each action, but not the report of a crash`()
    async throws
  {
    let shown = CollectedValues<String>()
    var process = TestProcess.current
    process.printOutput = { shown.add($0) }
    try await TestProcess.$current.withValue(process) {
      let (container, app) = try await launch()
      try await app.perform("say", with: ["words": "one\n::error::\u{1B}[31m C:\\"])
      #expect(shown.values == ["one\n'::error::\\u{1B}[31m C:\\'\n"])
      try await app.perform("say", with: ["words": String(repeating: "long\n", count: 30_000)])
      #expect(
        shown.values.last?.hasSuffix("\n(the app printed more, which is not shown)\n") == true)
      try await app.perform("say", with: ["words": "two"])
      #expect(shown.values.count == 2)
      let dying = try await container.launch(DyingApp.self)
      await #expect(throws: RunError.self) { try await dying.perform("fatal") }
      #expect(shown.values.last == "before the end\n")
    }
  }

  @Test func `the app has its own process, which a kill ends`() async throws {
    let folder = try TestFolder()
    let (_, app) = try await launch()
    try await app.perform("note", with: ["path": folder.path + "/note"])
    let note = try String(contentsOf: folder.url("note"), encoding: .utf8)
    let process = try #require(note.split(separator: " ").first.flatMap { pid_t($0) })
    #expect(kill(process, 0) == 0)
    try app.kill()
    #expect(app.hasEnded && kill(process, 0) != 0 && errno == ESRCH)
    let error = await #expect(throws: RunError.self) { try await app.perform("save") }
    #expect(error?.code == .appEnded)
  }

  @Test func `an error of an action has its domain and code`() async throws {
    let container = try FakeContainer.current
    let app = try await container.launch(DyingApp.self)
    let error = await #expect(throws: ActionCall.CodeError.self) {
      try await app.perform("missing")
    }
    #expect(error?.domain == NSCocoaErrorDomain)
    #expect(error?.code == CocoaError.Code.fileReadNoSuchFile.rawValue)
  }

  @Test func `an exit of the app is an error with the status`() async throws {
    let container = try FakeContainer.current
    let app = try await container.launch(DyingApp.self)
    let error = await #expect(throws: RunError.self) { try await app.perform("status") }
    #expect(error?.code == .appEnded && error?.description.contains("status 3") == true)
  }

  @Test func `an unknown action is an error that names a similar action`() async throws {
    let (_, app) = try await launch()
    let error = await #expect(throws: RunError.self) { try await app.perform("sav") }
    #expect(error?.code == .invalidApp && error?.description.contains("'save'") == true)
  }

  @Test func `arguments that nest too deeply are an error`() async throws {
    let (_, app) = try await launch()
    let nested = (0..<200).reduce(Nested(inner: nil)) { nested, _ in Nested(inner: [nested]) }
    let error = await #expect(throws: RunError.self) { try await app.perform("save", with: nested) }
    #expect(error?.code == .invalidApp && error?.description.contains("nest") == true)
  }

  private struct Nested: Encodable {
    let inner: [Nested]?
  }
}
#endif
