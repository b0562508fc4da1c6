import Foundation

/// Values that several tasks leave for a test, in the order they came.
package final class Notes<Value: Sendable>: @unchecked Sendable {
  /// Guards the values.
  private let lock = NSLock()
  /// The values so far.
  private var items: [Value] = []

  /// A list without a value.
  package init() {}

  /// Adds a value.
  package func add(_ value: Value) { lock.withLock { items.append(value) } }

  /// Every value that was added.
  package var values: [Value] { lock.withLock { items } }
}
