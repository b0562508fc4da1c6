import BackupContainer
import Foundation

/// A thread that lasts as long as this process, and does one thing after the other.
///
/// What a thread starts may end with it, on Linux: where `PR_SET_PDEATHSIG` asks for that.
final class LastingThread: Sendable {
  private let works = Locked<[@Sendable () -> Void]>([])
  private let isThere = DispatchSemaphore(value: 0)

  /// Starts it; nil where the machine gives no thread.
  init?() {
    let (works, isThere) = (works, isThere)
    let error = startThread {
      while true {
        isThere.wait()
        works.withLock { $0.removeFirst() }()
      }
    }
    guard error == 0 else { return nil }
  }

  /// Has it do something, and waits for that.
  ///
  /// - Returns: What comes of it.
  func perform<Result: Sendable>(_ work: @escaping @Sendable () -> Result?) -> Result? {
    let result = Locked<Result?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    works.withLock {
      $0.append {
        let value = work()
        result.withLock { $0 = value }
        isDone.signal()
      }
    }
    isThere.signal()
    isDone.wait()
    return result.withLock { $0 }
  }
}
