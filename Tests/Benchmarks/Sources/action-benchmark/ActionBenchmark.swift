import BackupTesting
import Foundation
import ProcessCost

/// Compares what watching an app's code costs with a plain scan of as large a container.
///
/// Arguments: the folder to work in, by default one in memory where there is one, then how many
/// rounds. All figures are user and system time of this process, the least of all rounds; in each
/// round the scan comes right before what is compared with it. The status is 1 where a limit is not
/// kept.
@main enum ActionBenchmark {
  /// Measures actions of a scenario, then a session's, and prints what they cost.
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let usual = MemoryFolder.url ?? FileManager.default.temporaryDirectory
    let parent = arguments.first ?? usual.path
    let rounds = arguments.dropFirst().first.flatMap { Int($0) } ?? 15
    let folder = try WorkFolder(in: parent)
    defer { folder.remove() }
    let plain = try FakeContainer()
    try Workload.fill(plain)
    let lines = [
      try await ScenarioActions.measure(rounds: rounds, plain, in: folder),
      try await ScenarioActions.measure(rounds: rounds, plain, in: folder, after: Workload.step),
      try await SessionActions.measure(rounds: rounds, plain),
    ]
    try plain.remove()
    for line in lines { print(line) }
    print("user and system time, the least of \(rounds) rounds; \(Workload.files) files")
    if lines.contains(where: { !$0.isKept }) {
      folder.remove()
      exit(1)
    }
  }
}

/// A folder of this run, in which containers are made and the scenario stands.
struct WorkFolder {
  let url: URL

  /// Makes it, and has the kit make its containers there.
  init(in parent: String) throws {
    url = URL(fileURLWithPath: parent).appendingPathComponent("action-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    setenv("TMPDIR", url.path, 1)
  }

  /// Removes it with all in it.
  func remove() { try? FileManager.default.removeItem(at: url) }
}
