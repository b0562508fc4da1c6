import BackupTesting
import Foundation
import ProcessCost

/// Compares the tool's inspection of a container with a scan of the same container.
///
/// Each measurement runs in a new process.
enum InspectionProbe {
  /// The first argument of the benchmark's child process that scans.
  static let argument = "scan"

  /// Returns how many times as long as a scan an inspection as text takes, and how many times as
  /// long as text an inspection as JSON takes. Each time is the least of several rounds.
  static func ratios(
    of container: FakeContainer, rounds: Int, in folder: URL?
  ) throws -> (text: Double, json: Double) {
    guard let program = Bundle.main.executableURL else { throw WalkFailure() }
    let tool = program.deletingLastPathComponent().appendingPathComponent("backup-testing")
    let output = FileManager.default.temporaryDirectory
      .appendingPathComponent("inspection-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: output) }
    let scanArguments = [argument, container.documents.path] + (folder.map { [$0.path] } ?? [])
    var (scan, toolStart) = (Double.infinity, Double.infinity)
    var (text, json) = (Double.infinity, Double.infinity)
    for _ in 0..<rounds {
      _ = try seconds(program, scanArguments, output)
      let printed = try String(contentsOf: output, encoding: .utf8)
      guard let seconds = Double(printed.trimmingCharacters(in: .whitespacesAndNewlines)) else {
        throw WalkFailure()
      }
      scan = min(scan, seconds)
      toolStart = min(toolStart, try self.seconds(tool, ["--version"], output))
      let inspection = ["inspect", container.url.path]
      text = min(text, try self.seconds(tool, inspection, output))
      json = min(json, try self.seconds(tool, inspection + ["--format", "json"], output))
    }
    return ((text - toolStart) / scan, json / text)
  }

  /// Runs a process, and returns its user and system time in seconds.
  private static func seconds(
    _ program: URL, _ arguments: [String], _ output: URL
  ) throws -> Double {
    let (cost, status) = try ProcessCost.run(program, arguments, output: output)
    guard status == 0 else { throw WalkFailure() }
    return cost.seconds
  }

  /// Moves a directory into a container of this process, scans the container, and moves the
  /// directory back. Prints the time of the scan in seconds.
  static func run(_ documents: URL, in folder: URL?) throws {
    let container = try FakeContainer(in: folder)
    defer { try? container.remove() }
    try FileManager.default.removeItem(at: container.documents)
    try FileManager.default.moveItem(at: documents, to: container.documents)
    defer { try? FileManager.default.moveItem(at: container.documents, to: documents) }
    print(try CPUTime.of { try container.scan() })
  }
}
