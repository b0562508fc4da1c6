import BackupTesting
import Foundation
import ProcessCost

/// Compares the cost of an action of the app's own code with the cost of a scan.
///
/// The kit looks for changed files after each action. The benchmark scans a second container of the
/// same size. All figures are user and system time of this process, the least of all rounds. In
/// each round, the scan runs directly before the action.
///
/// The optional arguments are the folder for the containers and the number of rounds. The exit
/// status is 1 if a limit is exceeded.
@main enum ActionBenchmark {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let defaultParent = MemoryFolder.url ?? FileManager.default.temporaryDirectory
    let parent = arguments.first ?? defaultParent.path
    let rounds = arguments.dropFirst().first.flatMap { Int($0) } ?? 15
    let folder = try WorkFolder(in: parent)
    defer { folder.remove() }
    let scannedContainer = try FakeContainer()
    try Workload.fill(scannedContainer)
    let lines = [
      try await ScenarioActions.measure(rounds: rounds, scannedContainer, in: folder),
      try await ScenarioActions.measure(
        rounds: rounds, scannedContainer, in: folder, after: Workload.step),
      try await SessionActions.measure(rounds: rounds, scannedContainer),
    ]
    try scannedContainer.remove()
    for line in lines { print(line) }
    print("user and system time, the least of \(rounds) rounds; \(Workload.files) files")
    if lines.contains(where: { !$0.isKept }) {
      folder.remove()
      exit(1)
    }
  }
}

/// A folder for the scenario files and the containers of this run.
struct WorkFolder {
  let url: URL

  /// Creates the folder, and sets `TMPDIR` so that the kit creates its containers in it.
  init(in parent: String) throws {
    url = URL(fileURLWithPath: parent).appendingPathComponent("action-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    setenv("TMPDIR", url.path, 1)
  }

  func remove() { try? FileManager.default.removeItem(at: url) }
}
