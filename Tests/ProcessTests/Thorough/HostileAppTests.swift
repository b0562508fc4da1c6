#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupScenarios
@testable import BackupTesting

/// If an app attacks the kit, its step fails, and nothing outside its container changes.
struct HostileAppTests {
  /// An empty message, a message that is not JSON, and a reply without a number.
  static let messages: [[UInt8]] = [
    [0, 0, 0, 0], [0, 0, 0, 2, 0x41, 0x41], [0, 0, 0, 2, 0x7b, 0x7d],
  ]

  @Test(arguments: messages)
  func `a message that the app's code sends is not taken for a reply`(_ bytes: [UInt8]) async throws
  {
    let trial = try await AppTrial(
      HostileApp.self, ["{ perform: 'write', with: { bytes: \(bytes) } }"])
    #expect(trial.failure?.contains("was killed because it wrote to file descriptor 200") == true)
    #expect(trial.failure?.contains("during the action 'write'") == true)
  }

  @Test func `bytes that are no message end the app, and the failure names the cause`() async throws
  {
    let trial = try await AppTrial(
      HostileApp.self, ["{ perform: 'write', with: { bytes: [255, 255, 255, 255, 255] } }"])
    #expect(trial.failure?.contains("was killed because it wrote to file descriptor 200") == true)
  }

  @Test func `an app that executes another program is ended, and the failure says so`() async throws
  {
    let trial = try await AppTrial(HostileApp.self, ["{ perform: 'execute' }"])
    #expect(trial.failure?.contains("executes another program") == true)
  }

  @Test func `an app that closes the connection fails its step at once`() async throws {
    let trial = try await AppTrial(HostileApp.self, ["{ perform: 'close' }"])
    #expect(trial.failure?.contains("exited with status 200 during the action 'close'") == true)
    #expect(trial.failure?.contains("its code closes file descriptor 200") == true)
  }

  @Test func `the text of an error has no escape sequences or log commands`() async throws {
    let trial = try await AppTrial(HostileApp.self, ["{ perform: 'say' }"])
    let text = trial.errors.map(\.text).joined()
    #expect(text.contains("red \\u{1B}[31m\n'::error::forged'"))
    #expect(!text.contains("\u{1B}") && !text.contains("\n::"))
  }

  @Test func `issues with forged positions are recorded`() async throws {
    let trial = try await AppTrial(HostileApp.self, ["{ perform: 'forge' }"])
    #expect(trial.errors.filter { $0.text.contains("forged") }.count == 5)
  }

  @Test func `the failure says that the app removed its container`() async throws {
    let trial = try await AppTrial(
      HostileApp.self, ["{ perform: 'removeHome' }", "{ perform: 'nothing' }"])
    #expect(trial.failure?.contains("the container is gone: code of the app") == true)
  }

  @Test func `an app that replaced its device with a link is not started again`() async throws {
    let victim = try TestFolder(["clock": "not the kit's"])
    let trial = try await AppTrial(
      HostileApp.self,
      ["{ perform: 'replaceDevice', with: { to: '\(victim.path)' } }", "{ relaunch: {} }"])
    #expect(trial.failure?.contains("the app moved or replaced its container") == true)
    #expect(try victim.names() == ["clock"])
  }

  @Test(.container) func `an app that breaks the protocol is ended at once`() async throws {
    let container = try FakeContainer.current
    let app = try await container.launch(HostileApp.self)
    let error = await #expect(throws: RunError.self) {
      try await app.perform("write", with: ["bytes": [0, 0, 0, 0]])
    }
    #expect(error?.code == .appEnded && app.hasEnded)
    #expect(VisibleProcesses.working(in: container.url.path) == [])
  }

  @Test func `a reply that is too long is replaced with a refusal`() throws {
    var reply = AppReply()
    reply.asked = [String(repeating: "a", count: 5000)]
    let sent = try #require(AppMessage<AppReply>(reply.message(to: 7, maximumSize: 1000)))
    #expect(sent.number == 7 && sent.content.asked == [])
    #expect(sent.content.refusal?.contains(", more than the 1.0 KB that can be sent") == true)
  }

  @Test(.enabled(if: VisibleProcesses.canFindDaemons))
  func `a process that has left the app's group ends with the app`() async throws {
    let folder = try TestFolder()
    let pipe = try OutputPipe(in: folder.url)
    let container = try FakeContainer()
    let app = try await container.launch(HostileApp.self)
    try await app.perform("leave", with: ["pipe": pipe.path])
    try app.kill()
    #expect(await pipe.outputUntilClosed() == "left\n")
  }

  @Test(.enabled(if: VisibleProcesses.canFindDaemons), .timeLimit(.minutes(5)))
  func `a child that keeps the connection does not delay the app's end`() async throws {
    let container = try FakeContainer()
    let app = try await container.launch(HostileApp.self)
    try await app.perform("keepConnection")
    try app.kill()
    #expect(app.hasEnded && VisibleProcesses.working(in: container.url.path) == [])
  }

  @Test(.enabled(if: VisibleProcesses.canFindDaemons), .timeLimit(.minutes(5)))
  func `a child that keeps the connection does not hide the app's end`() async throws {
    let container = try FakeContainer()
    let app = try await container.launch(HostileApp.self, timeLimit: nil)
    try await app.perform("keepConnection")
    let error = await #expect(throws: RunError.self) { try await app.perform("end") }
    #expect(error?.description.contains("status 3") == true, "\(error as Any)")
  }

  @Test func `no file is moved through a link that leads out of the container`() async throws {
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
