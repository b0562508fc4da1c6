import CProcessCost
public import Foundation

/// The cost of a process.
public struct ProcessCost: Sendable {
  /// User and system time, in seconds.
  public var seconds: Double
  /// The peak memory, in bytes.
  public var bytes: Double
  /// The allocations; nil if they were not counted.
  public var allocations: Allocations?

  /// Returns the shorter time and the smaller memory of two runs, and the allocations of this run.
  public func least(_ other: ProcessCost) -> ProcessCost {
    ProcessCost(
      seconds: min(seconds, other.seconds), bytes: min(bytes, other.bytes),
      allocations: allocations)
  }

  /// Runs a tool to its end.
  ///
  /// - Parameters:
  ///   - tool: The program.
  ///   - arguments: The arguments, without the program's name.
  ///   - output: The file for the program's output and errors.
  /// - Returns: The cost and the exit status.
  /// - Throws: ``ProcessFailure`` if the program cannot be run.
  public static func run(
    _ tool: URL, _ arguments: [String], output: URL
  ) throws -> (cost: ProcessCost, status: Int32) {
    var words: [UnsafeMutablePointer<CChar>?] = ([tool.path] + arguments).map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var cost = cpc_cost()
    let error = cpc_run(tool.path, words, output.path, &cost)
    guard error == 0 else {
      throw ProcessFailure("\(tool.path): cannot be run: \(String(cString: strerror(error)))")
    }
    return (ProcessCost(seconds: cost.seconds, bytes: Double(cost.bytes)), cost.status)
  }
}

/// The folder for containers, so that benchmarks do not measure a disk.
public enum MemoryFolder {
  /// A folder in memory that this process may write to; nil if there is none.
  ///
  /// Linux keeps extended attributes in this folder from version 6.6 on. With an older version,
  /// give the benchmark another folder.
  public static var url: URL? {
    let path = "/dev/shm"
    return FileManager.default.isWritableFile(atPath: path) ? URL(fileURLWithPath: path) : nil
  }
}

/// The reason why a process could not be measured.
public struct ProcessFailure: Error, CustomStringConvertible {
  /// The reason as a sentence.
  public let description: String

  /// Creates a failure with a description.
  public init(_ description: String) {
    self.description = description
  }
}
