import Foundation

/// How much is run of the tests that try many random cases: a part of them, or all where `KIT_TESTS` is
/// `exhaustive`, as `Tests/Scripts/thorough-tests --exhaustive` sets it.
package enum Thoroughness {
  package static let isFull =
    ProcessInfo.processInfo.environment["KIT_TESTS"] == "exhaustive"

  /// The seeds of a test's random cases, the same in each run.
  ///
  /// - Parameters:
  ///   - few: How many of them are enough to notice what is broken.
  ///   - all: How many there are.
  /// - Returns: The seeds, from 1 on.
  package static func seeds(_ few: UInt64, of all: UInt64) -> ClosedRange<UInt64> {
    1...(isFull ? all : few)
  }

  /// Every second element of a list, or every third and so on, the first among them; or all.
  ///
  /// - Parameters:
  ///   - stride: How far those that are taken stand apart.
  ///   - list: All.
  /// - Returns: The elements in their order.
  package static func every<Element>(_ stride: Int, of list: [Element]) -> [Element] {
    isFull ? list : list.indices.filter { $0.isMultiple(of: stride) }.map { list[$0] }
  }
}
