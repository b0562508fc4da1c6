#if os(macOS) || os(Linux)
import BackupExplorationReports
import BackupTesting
import Foundation
import Testing

@testable import BackupExploration
@testable import BackupScenarios

/// Exploration of an app's own code, which runs in a new process at each launch.
struct ExploredAppTests {
  @Test func `a folder that is marked only after its creation stays unmarked after a kill`()
    async throws
  {
    let trial = try await ExplorationTrial(
      FolderApp.self, ["{ perform: 'once', with: { id: '1' } }"],
      head: "files: { 'Library/**': 'offline' },")
    let example = try #require(trial.result.counterexamples.first)
    #expect(example.finding.rule == "recreatable-data-backed-up")
    #expect(example.token == "x:1.kill(3~mark)")
    #expect(example.stepCount == 3, "killed, done again, and a backup: \(example.text)")
    #expect(trial.result.counts.stepsWithUnseenChanges.count == 0)
  }

  @Test func `exploration reports a limit if the recorded changes take too much memory`()
    async throws
  {
    let steps = Array(repeating: "{ perform: 'overwrite' }", count: 4)
    let story = try await AppStory(WritingApp.self, steps)
    var runner = story.runner
    runner.limits.bytes = 500_000
    let result = await ExploredScenario(
      story.scenario, Scenario.ExplorationBounds(), on: ExplorationStage(runner))
    #expect(result.counts.reachedLimit == .bytes)
    let complaint = try #require(result.complaint)
    #expect(complaint.hasPrefix("INCOMPLETE after 1 trace: the limit 'bytes' was reached"))
    #expect(complaint.contains("the recorded changes take 600.0 KB, and each may take 500.0 KB"))
  }
}

/// An app that copies a file from Caches into a new folder. It fails if the folder exists, or if
/// the file does not.
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
      // This removes the contents of Library. The folder itself belongs to iOS.
      try? FileManager.default.removeItem(at: action.container.library)
      UserDefaults.standard.set(2, forKey: "count")
      UserDefaults.standard.synchronize()
      try Data("x".utf8).write(to: action.container.documents.file("note"))
    },
  ]
}

/// An app that writes to one small file 300 times in an action.
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
