import BackupTesting
import CTreeWalk
import Foundation

/// Measures the peak memory of a tree and its backup decisions, in a new process.
enum MemoryProbe {
  /// The first argument of the benchmark's child process that is measured.
  static let argument = "memory"

  /// Returns the peak memory in bytes for each item. The container then has no items in
  /// `Documents`.
  static func measure(_ container: FakeContainer, in folder: URL?) throws -> Double {
    guard let executable = Bundle.main.executableURL else { throw WalkFailure() }
    let process = Process()
    process.executableURL = executable
    process.arguments = [argument, container.documents.path] + (folder.map { [$0.path] } ?? [])
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard process.terminationStatus == 0, let bytes = Double(text) else { throw WalkFailure() }
    return bytes
  }

  /// Moves a directory into a container of this process, scans it, and decides on each item. Prints
  /// the peak memory in bytes for each item.
  static func run(_ documents: URL, in folder: URL?) throws {
    guard let profile = SystemProfile.newest else { throw WalkFailure() }
    let container = try FakeContainer(in: folder)
    defer { try? container.remove() }
    try FileManager.default.removeItem(at: container.documents)
    try FileManager.default.moveItem(at: documents, to: container.documents)
    _ = BackupSimulator(profile: profile).backUp(FileTree())
    let before = ctw_peak_memory()
    let tree = try container.scan()
    let backupSet = BackupSimulator(profile: profile).backUp(tree)
    let peak = withExtendedLifetime(tree) { ctw_peak_memory() - before }
    print(Double(peak) / Double(backupSet.decisions.count))
  }
}
