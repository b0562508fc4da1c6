import Foundation
import Testing

/// Runs programs that are built beside these tests.
enum AppProcess {
  /// Runs a program with one argument, and returns the lines that it prints.
  static func lines(
    of program: String, _ argument: String, _ environment: [String: String]
  ) throws -> [String] {
    let process = Process()
    let output = Pipe()
    let folder = try #require(Bundle.main.executableURL).deletingLastPathComponent()
    process.executableURL = folder.appendingPathComponent(program)
    process.arguments = [argument]
    process.environment = environment
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
