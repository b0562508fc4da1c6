#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupScenarios
@testable import BackupTesting

/// An app that works against the kit fails its step, and reaches nothing outside its container.
struct HostileAppTests {
  /// A message without an answer, one that is no JSON, one that would be an answer without a number.
  static let messages: [[UInt8]] = [
    [0, 0, 0, 0], [0, 0, 0, 2, 0x41, 0x41], [0, 0, 0, 2, 0x7b, 0x7d],
  ]

  @Test(arguments: messages)
  func `what it writes to the kit's descriptor is no answer`(_ bytes: [UInt8]) async throws {
    let trial = try await AppTrial(
      HostileApp.self, ["{ perform: 'write', with: { bytes: \(bytes) } }"])
    #expect(trial.failure?.contains("was killed because it wrote to file descriptor 200") == true)
    #expect(trial.failure?.contains("during the action 'write'") == true)
  }

  @Test func `what is no message at all ends it, and says what may be the cause`() async throws {
    let trial = try await AppTrial(
      HostileApp.self, ["{ perform: 'write', with: { bytes: [255, 255, 255, 255, 255] } }"])
    #expect(trial.failure?.contains("was killed because it wrote to file descriptor 200") == true)
  }

  @Test func `another program in its place is ended, and the message names that`() async throws {
    let trial = try await AppTrial(HostileApp.self, ["{ perform: 'execute' }"])
    #expect(trial.failure?.contains("executes another program") == true)
  }

  @Test func `a connection that it closes is said at once`() async throws {
    let trial = try await AppTrial(HostileApp.self, ["{ perform: 'close' }"])
    #expect(trial.failure?.contains("exited with status 200 during the action 'close'") == true)
    #expect(trial.failure?.contains("its code closes file descriptor 200") == true)
  }

  @Test func `what it throws is no escape and no command in a log`() async throws {
    let trial = try await AppTrial(HostileApp.self, ["{ perform: 'say' }"])
    let text = trial.errors.map(\.text).joined()
    #expect(text.contains("red \\u{1B}[31m\n'::error::forged'"))
    #expect(!text.contains("\u{1B}") && !text.contains("\n::"))
  }

  @Test func `places that it forges are no places`() async throws {
    let trial = try await AppTrial(HostileApp.self, ["{ perform: 'forge' }"])
    #expect(trial.errors.filter { $0.text.contains("forged") }.count == 5)
  }

  @Test func `a home that it removes is said`() async throws {
    let trial = try await AppTrial(
      HostileApp.self, ["{ perform: 'removeHome' }", "{ perform: 'nothing' }"])
    #expect(trial.failure?.contains("the container is gone: code of the app") == true)
  }

  @Test func `it is not started again where it has put a link in its device's place`() async throws
  {
    let victim = try TestFolder(["clock": "not the kit's"])
    let trial = try await AppTrial(
      HostileApp.self,
      ["{ perform: 'replaceDevice', with: { to: '\(victim.path)' } }", "{ relaunch: {} }"])
    #expect(trial.failure?.contains("the app moved or replaced its container") == true)
    #expect(try victim.names() == ["clock"])
  }

  @Test(.container) func `what breaks the protocol is ended at once`() async throws {
    let container = try FakeContainer.current
    let app = try await container.launch(HostileApp.self)
    let error = await #expect(throws: RunError.self) {
      try await app.perform("write", with: ["bytes": [0, 0, 0, 0]])
    }
    #expect(error?.code == .appEnded && app.hasEnded)
    #expect(ShownProcesses.working(in: container.url.path) == [])
  }

  @Test func `an answer that cannot be sent is one that says so`() throws {
    var reply = AppReply()
    reply.asked = [String(repeating: "a", count: 5000)]
    let sent = try #require(AppMessage<AppReply>(reply.message(to: 7, maximumSize: 1000)))
    #expect(sent.number == 7 && sent.content.asked == [])
    #expect(sent.content.refusal?.contains(", more than the 1.0 KB that can be sent") == true)
  }

  @Test(.enabled(if: ShownProcesses.haveDaemons))
  func `what has left its group ends with it`() async throws {
    let folder = try TestFolder()
    let writers = try Writers(in: folder.url)
    let container = try FakeContainer()
    let app = try await container.launch(HostileApp.self)
    try await app.perform("leave", with: ["pipe": writers.path])
    try app.kill()
    #expect(await writers.wordsToTheEnd() == "left\n")
  }

  @Test(.enabled(if: ShownProcesses.haveDaemons), .timeLimit(.minutes(5)))
  func `what has kept its connection does not hold up its end`() async throws {
    let container = try FakeContainer()
    let app = try await container.launch(HostileApp.self)
    try await app.perform("keepConnection")
    try app.kill()
    #expect(app.hasEnded && ShownProcesses.working(in: container.url.path) == [])
  }

  @Test(.enabled(if: ShownProcesses.haveDaemons), .timeLimit(.minutes(5)))
  func `what has kept its connection does not hide that it has ended`() async throws {
    let container = try FakeContainer()
    let app = try await container.launch(HostileApp.self, timeLimit: nil)
    try await app.perform("keepConnection")
    let error = await #expect(throws: RunError.self) { try await app.perform("end") }
    #expect(error?.description.contains("status 3") == true, "\(error as Any)")
  }

  @Test func `nothing is moved where a link in the container leads out`() async throws {
    let folder = try TestFolder(["Preferences/com.example.app.plist": "theirs"])
    try folder.makeFolder("Application Support/debug")
    let former = try folder.names()
    let trial = try await AppTrial(
      HostileApp.self,
      ["{ perform: 'link', with: { to: '\(folder.path)' } }", "{ perform: 'nothing' }"])
    #expect(trial.failure == nil)
    #expect(try folder.names() == former)
  }
}
#endif
