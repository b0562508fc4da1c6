#if os(macOS) || os(Linux)
import BackupExplorationReports
import BackupTesting
import Foundation
import Testing

@testable import BackupExploration
@testable import BackupScenarios

/// Exploring code of the app's own, each launch of which is a process.
struct ExploredAppTests {
  /// What the app promises of its movies.
  static let head = "files: { 'Library/**': 'offline' },"

  /// Two downloads by an action.
  static func downloads(by action: String) -> [String] {
    (1...2).map { "{ perform: '\(action)', with: { id: '\($0)' } }" }
  }

  @Test func `a folder that is marked only when it is made stays unmarked after a kill`()
    async throws
  {
    let trial = try await ExplorationTrial(
      FolderApp.self, Self.downloads(by: "once"), head: Self.head)
    let example = try #require(trial.result.counterexamples.first)
    #expect(example.finding.rule == "recreatable-data-backed-up")
    #expect(example.token == "x:1.kill(3~mark)")
    #expect(example.stepCount == 3, "killed, done again, and a backup: \(example.text)")
    #expect(trial.result.counts.unseenSteps.count == 0)
  }

  @Test func `ends with a sentence if the recorded changes take too much`() async throws {
    let steps = Array(repeating: "{ perform: 'overwrite' }", count: 4)
    let story = try await AppStory(WritingApp.self, steps)
    var runner = story.runner
    runner.limits.bytes = 500_000
    let result = await ExploredScenario(
      story.scenario, Scenario.ExplorationBounds(), on: ExplorationStage(runner))
    #expect(result.counts.shortfall == .bytes)
    let complaint = try #require(result.complaint)
    #expect(complaint.hasPrefix("INCOMPLETE after 1 trace: the limit 'bytes' was reached"))
    #expect(complaint.contains("the recorded changes take 600.0 KB, and each may take 500.0 KB"))
  }
}

/// An app that fills a new folder from a cache, and fails if the folder exists or the cache does not.
enum FillingApp: AppUnderTest {
  static let actions: AppActions = [
    "seed": { try Data("seed".utf8).write(to: $0.container.caches.file("seed")) },
    "fill": { action in
      let folder = action.container.documents.file("folder")
      guard let seed = try? Data(contentsOf: action.container.caches.file("seed")),
        !FileManager.default.fileExists(atPath: folder.path)
      else { throw CocoaError(.featureUnsupported) }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      try seed.write(to: folder.appendingPathComponent("seed"))
    },
    "reset": { action in
      UserDefaults.standard.set(1, forKey: "count")
      // All in it goes; the folder itself is the system's.
      try? FileManager.default.removeItem(at: action.container.library)
      UserDefaults.standard.set(2, forKey: "count")
      UserDefaults.standard.synchronize()
      try Data("x".utf8).write(to: action.container.documents.file("note"))
    },
  ]
}

/// An app that writes to one small file again and again.
enum WritingApp: AppUnderTest {
  static let actions: AppActions = [
    "overwrite": { action in
      let file = open(action.container.documents.file("file").path, O_WRONLY | O_CREAT, 0o644)
      defer { close(file) }
      let bytes = [UInt8](repeating: 1, count: 1000)
      for _ in 0..<300 {
        guard pwrite(file, bytes, bytes.count, 0) == bytes.count else {
          throw CocoaError(.fileWriteUnknown)
        }
      }
    }
  ]
}
#endif
