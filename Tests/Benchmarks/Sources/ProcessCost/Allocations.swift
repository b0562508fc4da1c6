public import Foundation

/// What a process and those that it starts ask memory for. No load of the machine changes it.
public struct Allocations: Sendable {
  /// How many times.
  public var calls = 0.0
  /// How many bytes.
  public var bytes = 0.0

  /// Has what this program starts from now on counted.
  ///
  /// - Parameter output: The file that they write the counts into.
  /// - Returns: Whether they are counted, which needs Linux.
  public static func count(into output: URL) -> Bool {
    #if os(Linux)
      let library = Bundle.main.bundleURL.appendingPathComponent("libAllocationCount.so")
      guard FileManager.default.fileExists(atPath: library.path) else { return false }
      return setenv("LD_PRELOAD", library.path, 1) == 0
        && setenv("ALLOCATION_COUNT", output.path, 1) == 0
    #else
      return false
    #endif
  }

  /// Takes the counts of what has ended out of a file; nil if nothing was counted.
  public static func take(from output: URL) -> Allocations? {
    guard let text = try? String(contentsOf: output, encoding: .utf8) else { return nil }
    try? FileManager.default.removeItem(at: output)
    return text.split(separator: "\n").reduce(into: Allocations()) { sum, line in
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      guard numbers.count == 2 else { return }
      sum.calls += numbers[0]
      sum.bytes += numbers[1]
    }
  }
}
