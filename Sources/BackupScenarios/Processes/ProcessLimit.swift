import Foundation

/// A limit on the number of tools or apps that run at once, whatever the number of scenarios.
package actor ProcessLimit {
  /// The number of descriptors for each tool. A tool takes four of them, and the rest is for other
  /// work of this process.
  private static let descriptorsForEach = 16

  static let shared = ProcessLimit(
    count: count(
      processors: ProcessInfo.processInfo.activeProcessorCount, descriptors: Int(getdtablesize())))

  /// Returns the number of tools that may run at once, at least one, for a machine with these numbers
  /// of processors and of files that may be open.
  package static func count(processors: Int, descriptors: Int) -> Int {
    max(1, min(max(4, 2 * processors), descriptors / descriptorsForEach))
  }

  private var freeCount: Int
  /// The waiting tasks in the order in which they asked, each with its urgency.
  private(set) var waiting: [(urgency: Int, continuation: CheckedContinuation<Void, Never>)] = []

  package init(count: Int) {
    self.freeCount = count
  }

  /// Waits until one more tool may run. A more urgent task goes first, even if it asked later.
  package func take(urgency: Int = .max) async {
    guard freeCount == 0 else {
      freeCount -= 1
      return
    }
    await withCheckedContinuation { continuation in
      waiting.append((urgency, continuation))
    }
  }

  /// Lets the most urgent task run. Of equally urgent tasks, the one that has waited longest goes first.
  package func giveBack() {
    let highestUrgency = waiting.lazy.map { $0.urgency }.max()
    guard let next = waiting.firstIndex(where: { $0.urgency == highestUrgency }) else {
      freeCount += 1
      return
    }
    waiting.remove(at: next).continuation.resume()
  }
}
