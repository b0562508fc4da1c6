#if os(macOS) || os(Linux)
import BackupTesting
import Foundation
import TestSupport
import Testing

/// What Foundation keeps for the app is where iOS has it, and survives as there.
struct AppDefaultsTests {
  /// The preferences of the app.
  private static let preferences = "Library/Preferences/com.example.app.plist"

  @Test func `preferences come back with a backup`() async throws {
    let trial = try await AppTrial(
      HabitsApp.self,
      [
        "{ perform: 'setDefault' }", "{ perform: 'readDefault' }", "{ backup: 'one' }",
        "{ expectBackup: { contains: ['\(Self.preferences)'] } }", "{ restore: 'one' }",
        "{ perform: 'readDefault' }", "{ updateApp: '2.0' }", "{ perform: 'readDefault' }",
      ])
    #expect(trial.failure == nil)
    #expect(trial.files.contains(Self.preferences))
    #expect(trial.files.contains("Library/Preferences/other.plist"))
  }

  @Test func `preferences that were set before the app is killed stay`() async throws {
    let trial = try await AppTrial(
      HabitsApp.self,
      ["{ perform: 'setDefault' }", "{ relaunch: {} }", "{ perform: 'readDefault' }"])
    #expect(trial.failure == nil)
  }

  @Test func `a session leaves nothing in Application Support`() async throws {
    let trial = try await AppTrial(
      NetworkApp.self, ["{ perform: 'session' }", "{ backup: 'one' }"])
    #expect(trial.failure == nil)
    #expect(!trial.files.contains { $0.hasPrefix("Library/Application Support") })
  }

  @Test func `cookies are where iOS has them, and outlive a launch`() async throws {
    let trial = try await AppTrial(
      NetworkApp.self,
      [
        "{ perform: 'session' }", "{ perform: 'cookie' }", "{ relaunch: {} }",
        "{ perform: 'readCookie' }",
      ])
    #expect(trial.failure == nil)
    #expect(trial.files.contains("Library/Cookies/Cookies.binarycookies"))
  }

  @Test func `a cache of responses is where iOS has it`() async throws {
    let trial = try await AppTrial(NetworkApp.self, ["{ perform: 'cache' }", "{ backup: 'one' }"])
    #expect(trial.failure == nil)
    let folder = "Library/Caches/com.example.app/fsCachedData"
    #expect(trial.files.contains { $0.hasPrefix(folder) })
    #expect(!trial.files.contains { $0.contains("org.swift.foundation") })
  }

  @Test func `golden files do not say the sizes of Foundation's files`() async throws {
    let steps = ["{ perform: 'setDefault' }", "{ perform: 'save' }", "{ backup: 'one' }"]
    let golden = try await AppTrial(HabitsApp.self, steps).golden
    #expect(golden.contains("backup \"one\": 3 files\n"))
    #expect(golden.contains("  in   \(Self.preferences)\n"))
    #expect(golden.contains("list.json  2 bytes\n"))
  }

  @Test func `golden files do not say the sizes of what a cache of responses holds`() async throws {
    let trial = try await AppTrial(
      NetworkApp.self, ["{ perform: 'cache' }", "{ purge: 'lowStorage' }"])
    #expect(trial.golden.contains("purge lowStorage\n"))
  }

  @Test func `preferences are gone with the container`() async throws {
    let trial = try await AppTrial(HabitsApp.self, ["{ perform: 'readDefault' }"])
    #expect(trial.failure != nil)
  }
}
#endif
