import Foundation

/// Values that several tasks leave for a test, in the order they came.
package final class Notes<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var items: [Value] = []

  /// A list without a value.
  package init() {}

  package func add(_ value: Value) { lock.withLock { items.append(value) } }

  /// Every value that was added.
  package var values: [Value] { lock.withLock { items } }
}
