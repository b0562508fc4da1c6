import CProcessCost
public import Foundation

/// What a process took.
public struct ProcessCost: Sendable {
  /// The processor's time in user and system mode, in seconds.
  public var seconds: Double
  /// The most memory it had, in bytes.
  public var bytes: Double
  /// Its allocations; nil if they were not counted.
  public var allocations: Allocations?

  /// The smaller of each of two.
  public func least(_ other: ProcessCost) -> ProcessCost {
    ProcessCost(
      seconds: min(seconds, other.seconds), bytes: min(bytes, other.bytes),
      allocations: allocations)
  }

  /// Runs a tool to its end.
  ///
  /// - Parameters:
  ///   - tool: The program.
  ///   - arguments: What it is called with, without its name.
  ///   - output: Where what it prints goes.
  /// - Returns: What it took, and its exit status.
  /// - Throws: ``ProcessFailure`` where it cannot be run.
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

/// Where benchmarks work, so that no disk is measured.
public enum MemoryFolder {
  /// A folder in memory that this process may write to; nil without one. Linux keeps the attributes
  /// of its files from 6.6 on; before that, give a benchmark another folder.
  public static var url: URL? {
    let path = "/dev/shm"
    return FileManager.default.isWritableFile(atPath: path) ? URL(fileURLWithPath: path) : nil
  }
}

/// Why a process could not be measured.
public struct ProcessFailure: Error, CustomStringConvertible {
  /// What went wrong.
  public let description: String

  /// A failure in words.
  public init(_ description: String) {
    self.description = description
  }
}
