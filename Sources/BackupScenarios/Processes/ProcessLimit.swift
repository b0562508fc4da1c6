import Foundation

/// Bounds how many tools run at once, whatever the number of scenarios.
actor ProcessLimit {
  /// The limit of this process.
  static let shared = ProcessLimit(count: max(4, 2 * ProcessInfo.processInfo.activeProcessorCount))

  /// How many are free.
  private var freeCount: Int
  /// Who waits for one, in the order they came.
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// A limit of so many at once.
  init(count: Int) {
    self.freeCount = count
  }

  /// Waits until one more may run.
  func take() async {
    guard freeCount == 0 else {
      freeCount -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Lets whoever waits longest run.
  func giveBack() {
    guard waiting.isEmpty else {
      waiting.removeFirst().resume()
      return
    }
    freeCount += 1
  }
}
