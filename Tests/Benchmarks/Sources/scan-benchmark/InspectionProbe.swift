import BackupTesting
import Foundation
import ProcessCost

/// Measures what the tool's inspection of a container costs beside a scan of the same, each the
/// first thing that a process does.
enum InspectionProbe {
  /// The argument that makes the benchmark the process that scans.
  static let argument = "scan"

  /// How much more an inspection as text takes than a scan, and one as JSON than one as text: the
  /// least of some rounds of each.
  static func ratios(
    of container: FakeContainer, rounds: Int, in folder: URL?
  ) throws -> (text: Double, json: Double) {
    guard let program = Bundle.main.executableURL else { throw WalkFailure() }
    let tool = program.deletingLastPathComponent().appendingPathComponent("backup-testing")
    let output = FileManager.default.temporaryDirectory
      .appendingPathComponent("inspection-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: output) }
    let words = [argument, container.documents.path] + (folder.map { [$0.path] } ?? [])
    var (scan, start) = (Double.infinity, Double.infinity)
    var (text, json) = (Double.infinity, Double.infinity)
    for _ in 0..<rounds {
      _ = try seconds(program, words, output)
      let printed = try String(contentsOf: output, encoding: .utf8)
      guard let seconds = Double(printed.trimmingCharacters(in: .whitespacesAndNewlines)) else {
        throw WalkFailure()
      }
      scan = min(scan, seconds)
      start = min(start, try self.seconds(tool, ["--version"], output))
      let words = ["inspect", container.url.path]
      text = min(text, try self.seconds(tool, words, output))
      json = min(json, try self.seconds(tool, words + ["--format", "json"], output))
    }
    return ((text - start) / scan, json / text)
  }

  /// The user and system time of a process.
  private static func seconds(_ program: URL, _ words: [String], _ output: URL) throws -> Double {
    let (cost, status) = try ProcessCost.run(program, words, output: output)
    guard status == 0 else { throw WalkFailure() }
    return cost.seconds
  }

  /// Takes what is in a directory into a container of this process, scans it, and puts it back;
  /// prints the seconds of the scan.
  static func run(_ documents: URL, in folder: URL?) throws {
    let container = try FakeContainer(in: folder)
    defer { try? container.remove() }
    try FileManager.default.removeItem(at: container.documents)
    try FileManager.default.moveItem(at: documents, to: container.documents)
    defer { try? FileManager.default.moveItem(at: container.documents, to: documents) }
    print(try CPUTime.of { try container.scan() })
  }
}
