import Foundation

/// Whether tests with many cases try a part of these cases, or all.
///
/// They try all cases if the variable `KIT_TESTS` is `exhaustive`.
/// `Tests/Scripts/thorough-tests --exhaustive` sets it.
package enum Thoroughness {
  /// Whether tests try all their cases.
  package static let isFull =
    ProcessInfo.processInfo.environment["KIT_TESTS"] == "exhaustive"

  /// The seeds of a test's random cases.
  ///
  /// - Parameters:
  ///   - few: The number of seeds in a usual run.
  ///   - all: The number of seeds in an exhaustive run.
  /// - Returns: The seeds, beginning with 1.
  package static func seeds(_ few: UInt64, of all: UInt64) -> ClosedRange<UInt64> {
    1...(isFull ? all : few)
  }

  /// Every second element of a list if `stride` is 2, or all in an exhaustive run.
  ///
  /// - Parameters:
  ///   - stride: The distance between the elements, of which the first is always included.
  ///   - list: The elements from which to choose.
  /// - Returns: The chosen elements, in the order of the list.
  package static func every<Element>(_ stride: Int, of list: [Element]) -> [Element] {
    isFull ? list : list.indices.filter { $0.isMultiple(of: stride) }.map { list[$0] }
  }
}
