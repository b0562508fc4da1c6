#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupTesting

/// Each launch of the app is a new process, whose home directory is the container.
struct AppLifeTests {
  @Test func `a directory that a static stores is right after each launch`() async throws {
    let trial = try await AppTrial(
      HabitsApp.self,
      [
        "{ perform: 'save' }", "{ relaunch: {} }", "{ perform: 'save' }", "{ backup: 'one' }",
        "{ updateApp: '2.0' }", "{ perform: 'load' }", "{ perform: 'save' }",
        "{ restore: 'one' }", "{ perform: 'load' }", "{ perform: 'save' }",
      ])
    #expect(trial.errors.isEmpty && trial.failure == nil)
    #expect(trial.files.contains("Documents/list.json"))
  }

  @Test func `each step that ends the app resets its statics`() async throws {
    let endings = [
      "relaunch: {}", "kill: {}", "purge: 'lowStorage'", "updateApp: '2.0'", "restore: 'one'",
      "reinstall: {}", "offload: {} }, { reinstall: {}",
    ]
    let trial = try await AppTrial(
      HabitsApp.self,
      ["{ perform: 'count' }", "{ backup: 'one' }"]
        + endings.flatMap { ["{ \($0) }", "{ perform: 'count' }"] })
    #expect(trial.failure == nil)
  }

  @Test func `within one launch, statics keep their values`() async throws {
    let trial = try await AppTrial(
      HabitsApp.self, ["{ perform: 'count' }", "{ backup: 'one' }", "{ perform: 'count' }"])
    #expect(trial.failure?.contains("CountError(count: 2)") == true)
  }

  @Test func `code on any thread writes into the container`() async throws {
    let names = ["main", "queue", "detached", "thread", "operation", "scratch"]
    let trial = try await AppTrial(HabitsApp.self, names.map { "{ perform: '\($0)' }" })
    #expect(trial.failure == nil)
    let files = Set(trial.files)
    for name in names.dropLast() { #expect(files.contains("Documents/\(name)")) }
    #expect(files.isSuperset(of: ["tmp/scratch", "Documents/home"]))
  }

  @Test func `the app's launch code runs at each launch`() async throws {
    let trial = try await AppTrial(
      HabitsApp.self, ["{ perform: 'save' }", "{ relaunch: {} }", "{ backup: 'one' }"])
    #expect(trial.failure == nil && trial.files.contains("tmp/launched"))
    let launches = trial.result?.runs.first?.transcript?.entries.filter {
      if case .launch = $0.event { true } else { false }
    }
    #expect(launches?.count == 2)
  }

  @Test func `a launch that throws an error fails its step`() async throws {
    let trial = try await AppTrial(UnwillingApp.self, ["{ perform: 'act' }"])
    #expect(trial.failure?.contains("the app does not start: its launch threw") == true)
  }

  @Test func `the app's process has ended when the run is over`() async throws {
    let folder = try TestFolder()
    let path = folder.path + "/note"
    let trial = try await AppTrial(
      HabitsApp.self, ["{ perform: 'note', with: { path: '\(path)' } }"])
    #expect(trial.failure == nil)
    let note = try String(contentsOfFile: path, encoding: .utf8).split(
      whereSeparator: \.isWhitespace)
    try #require(note.count == 3)
    #expect(note[1] == note[2])
    let process = try #require(pid_t(note[0]))
    #expect(process != getpid() && kill(process, 0) != 0 && errno == ESRCH)
  }

  @Test func `with BACKUP_TESTING_IN_PROCESS, the app runs in the test's process`() async throws {
    let folder = try TestFolder()
    let path = folder.path + "/note"
    let trial = try await AppTrial(
      HabitsApp.self, ["{ perform: 'note', with: { path: '\(path)' } }"],
      environment: ["BACKUP_TESTING_IN_PROCESS": "1"])
    #expect(!trial.seen.contains { $0.text.contains("in the test's process") })
    let note = try String(contentsOfFile: path, encoding: .utf8)
    #expect(note.hasPrefix("\(getpid()) "))
  }

  @Test func `an app type that a function declares is refused`() async throws {
    enum LocalApp: AppUnderTest {
      static let actions: AppActions = ["act": { _ in }]
    }
    let trial = try await AppTrial(LocalApp.self, ["{ perform: 'act' }"])
    #expect(trial.result == nil)
    #expect(trial.errors.map(\.text).joined().contains("declare it internal or public"))
  }

  @Test func `many apps run at once`() async throws {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let trial = try? await AppTrial(
            HabitsApp.self, ["{ perform: 'save' }", "{ relaunch: {} }", "{ perform: 'load' }"])
          #expect(trial?.errors.isEmpty == true)
        }
      }
    }
  }
}
#endif
