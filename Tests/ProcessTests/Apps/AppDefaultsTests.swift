#if os(macOS) || os(Linux)
import BackupTesting
import Foundation
import TestSupport
import Testing

/// Foundation's files of the app have the same paths as on iOS, and survive the same events.
struct AppDefaultsTests {
  /// The path of the app's preferences.
  private static let preferences = "Library/Preferences/com.example.app.plist"

  @Test func `a restore brings the preferences back`() async throws {
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

  @Test func `preferences survive a kill of the app`() async throws {
    let trial = try await AppTrial(
      HabitsApp.self,
      ["{ perform: 'setDefault' }", "{ relaunch: {} }", "{ perform: 'readDefault' }"])
    #expect(trial.failure == nil)
  }

  @Test func `cookies have the same path as on iOS, and survive a launch`() async throws {
    let trial = try await AppTrial(
      NetworkApp.self,
      [
        "{ perform: 'session' }", "{ perform: 'cookie' }", "{ relaunch: {} }",
        "{ perform: 'readCookie' }",
      ])
    #expect(trial.failure == nil)
    #expect(trial.files.contains("Library/Cookies/Cookies.binarycookies"))
    // A URL session leaves no file there.
    #expect(!trial.files.contains { $0.hasPrefix("Library/Application Support") })
  }

  @Test func `the cache of HTTP responses has the same path as on iOS`() async throws {
    let trial = try await AppTrial(NetworkApp.self, ["{ perform: 'cache' }", "{ backup: 'one' }"])
    #expect(trial.failure == nil)
    let folder = "Library/Caches/com.example.app/fsCachedData"
    #expect(trial.files.contains { $0.hasPrefix(folder) })
    #expect(!trial.files.contains { $0.contains("org.swift.foundation") })
  }

  @Test func `golden files omit the sizes of Foundation's files`() async throws {
    let steps = ["{ perform: 'setDefault' }", "{ perform: 'save' }", "{ backup: 'one' }"]
    let golden = try await AppTrial(HabitsApp.self, steps).golden
    #expect(golden.contains("backup \"one\": 3 files\n"))
    #expect(golden.contains("  in   \(Self.preferences)\n"))
    #expect(golden.contains("list.json  2 bytes\n"))
  }

  @Test func `golden files omit the sizes of cached HTTP responses`() async throws {
    let trial = try await AppTrial(
      NetworkApp.self, ["{ perform: 'cache' }", "{ purge: 'lowStorage' }"])
    #expect(trial.golden.contains("purge lowStorage\n"))
  }

  @Test func `a new container has no preferences`() async throws {
    let trial = try await AppTrial(HabitsApp.self, ["{ perform: 'readDefault' }"])
    #expect(trial.failure != nil)
  }
}
#endif
