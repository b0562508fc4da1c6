#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupTesting

/// An app that a plain test launches.
@Suite(.container) struct LaunchedAppTests {
  /// Launches the app with the habits.
  private func launch() async throws -> (FakeContainer, FakeContainer.LaunchedApp) {
    let container = try FakeContainer.current
    return (container, try await container.launch(HabitsApp.self))
  }

  @Test func `it performs, with arguments`() async throws {
    let (container, app) = try await launch()
    try await app.perform("save", with: ["name": "a.json"])
    #expect(try container.backUp().contains("Documents/a.json"))
  }

  @Test func `what it prints is shown after each action, but no crash`() async throws {
    let shown = Notes<String>()
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

  @Test func `it is a process of its own, and a killed one is gone`() async throws {
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

  @Test func `a call by which the system ends the app ends it`() async throws {
    let (container, app) = try await launch()
    try await app.perform("count")
    try container.purge()
    #expect(app.hasEnded)
    let next = try await container.launch(HabitsApp.self)
    try await next.perform("count")
  }

  @Test func `launched again, the former one ends`() async throws {
    let (container, app) = try await launch()
    let next = try await container.launch(HabitsApp.self)
    #expect(app.hasEnded && !next.hasEnded)
  }

  @Test func `an error says what it was`() async throws {
    let container = try FakeContainer.current
    let app = try await container.launch(DyingApp.self)
    let error = await #expect(throws: ActionCall.CodeError.self) {
      try await app.perform("missing")
    }
    #expect(error?.domain == NSCocoaErrorDomain)
    #expect(error?.code == CocoaError.Code.fileReadNoSuchFile.rawValue)
  }

  @Test func `a crash is an error of its own`() async throws {
    let container = try FakeContainer.current
    let app = try await container.launch(DyingApp.self)
    let error = await #expect(throws: RunError.self) { try await app.perform("status") }
    #expect(error?.code == .appEnded && error?.description.contains("status 3") == true)
  }

  @Test func `what is not bound is said, with the Swift to paste`() async throws {
    let (_, app) = try await launch()
    let error = await #expect(throws: RunError.self) { try await app.perform("sav") }
    #expect(error?.code == .invalidApp && error?.description.contains("'save'") == true)
  }

  @Test func `arguments that nest too deep are said to`() async throws {
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
