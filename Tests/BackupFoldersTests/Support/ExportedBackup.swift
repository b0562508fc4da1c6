import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupFolders
import BackupReports
import BackupScenarios
import Foundation
import TestSupport
import Testing
import TrialSupport

/// A backup of a scenario, in a folder on disk, and the containers at the time of the backup.
final class ExportedBackup: Sendable {
  let place: TestFolder
  let device: String
  /// The containers on disk when the backup was taken.
  let tree: FileTree
  let app: String
  /// The contents of the files, by their paths.
  let bytes: [ContainerPath: [UInt8]]

  /// The results of the first backup in a run.
  private struct Outcome {
    var device = ""
    var tree = FileTree()
    var bytes: [ContainerPath: [UInt8]] = [:]
  }

  /// Runs a scenario and writes its first backup.
  init(
    of scenario: Scenario, actions: AppActions = AppActions(), readingContents: Bool = false
  ) async throws {
    let place = try TestFolder()
    let app = scenario.app.bundleIdentifier
    let outcome = Locked<Outcome?>(nil)
    var runner = ScenarioRunner(actions: actions)
    let variant = scenario.variants[scenario.variants.count - 1]
    runner.alwaysUsesDirectory = true
    runner.whenBackedUp = { backup, step, container throws(RunError) in
      guard outcome.withLock({ $0 == nil }) else { return }
      do {
        var found = Outcome()
        found.tree = try container.scan()
        if readingContents {
          for path in found.tree.paths where found.tree[path]?.size != nil {
            found.bytes[path] = try container.bytes(of: path)
          }
        }
        let origin = BackupOrigin(
          app: app, appVersion: scenario.app.version, system: variant.system, seed: scenario.id,
          date: 0)
        found.device = try SimulatedBackup(
          backup.contents, of: backup.tree, in: container, app: app
        )
        .write(of: origin, to: place.url("backup").path, from: container)
        outcome.withLock { $0 = found }
      } catch {
        throw RunError(.unwritable, "\(error)")
      }
    }
    let transcript = try await runner.run(scenario, variant)
    guard let found = outcome.withLock({ $0 }) else {
      throw TestError("no backup was taken: \(transcript.failure?.message ?? "")")
    }
    self.place = place
    self.device = found.device
    self.tree = found.tree
    self.bytes = found.bytes
    self.app = app
  }

  /// The domains of the containers.
  var domains: [BackupDomain] { tree.containerNames.map { BackupDomain($0, of: app) } }

  /// Compares the folder with a tree of containers. By default, this is the tree at the time of the
  /// backup.
  func comparison(
    with tree: FileTree? = nil, examined: Set<BackupDomain>? = nil
  ) throws -> BackupComparison {
    let folder = try BackupFolder(at: device)
    let profile = try #require(folder.profile)
    return BackupComparison(
      try folder.contents(of: domains, app: app), with: tree ?? self.tree, domains: domains,
      examined: examined ?? Set(domains), on: profile)
  }

  /// Changes the manifest with SQL statements.
  func change(_ statements: String) throws {
    try ManifestEditing.execute(statements, in: "\(device)/Manifest.db")
  }

  /// Returns where the folder stores the contents of a file.
  func contents(of path: String, in domain: Int = 0) -> URL {
    let name = domains[domain].fileID(of: Array(path.utf8))
    return URL(fileURLWithPath: "\(device)/\(name.prefix(2))/\(name)")
  }
}
