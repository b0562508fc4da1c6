import Foundation

/// A value behind a lock, for what several tasks read and change.
package final class Locked<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  package init(_ value: Value) {
    self.value = value
  }

  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }

  /// Puts another value in the place of the one that it returns.
  package func exchange(for new: Value) -> Value {
    withLock { value in
      defer { value = new }
      return value
    }
  }
}
