import Foundation

/// A value that several tasks can read and change, protected by a lock.
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

  /// Replaces the value and returns the old one.
  package func exchange(for newValue: Value) -> Value {
    withLock { value in
      defer { value = newValue }
      return value
    }
  }
}
