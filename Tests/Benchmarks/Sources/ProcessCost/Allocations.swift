public import Foundation

/// The allocations of a process and of its child processes.
public struct Allocations: Sendable {
  /// The number of allocations.
  public var count = 0.0
  /// The total number of bytes.
  public var bytes = 0.0

  /// Counts the allocations of each process that this program starts from now on.
  ///
  /// - Parameter output: The file to which each process appends its counts.
  /// - Returns: False if allocations cannot be counted. They can be counted only on Linux.
  public static func beginCounting(into output: URL) -> Bool {
    #if os(Linux)
    let library = Bundle.main.bundleURL.appendingPathComponent("libAllocationCount.so")
    guard FileManager.default.fileExists(atPath: library.path) else { return false }
    return setenv("LD_PRELOAD", library.path, 1) == 0
      && setenv("ALLOCATION_COUNT", output.path, 1) == 0
    #else
    return false
    #endif
  }

  /// Returns the sum of the counts in a file, and removes the file; nil if there is no file.
  public static func take(from output: URL) -> Allocations? {
    guard let text = try? String(contentsOf: output, encoding: .utf8) else { return nil }
    try? FileManager.default.removeItem(at: output)
    return text.split(separator: "\n").reduce(into: Allocations()) { sum, line in
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      guard numbers.count == 2 else { return }
      sum.count += numbers[0]
      sum.bytes += numbers[1]
    }
  }
}
