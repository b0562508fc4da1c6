import Foundation

/// Collects values that concurrent tasks add, in the order of their calls to `add`.
package final class CollectedValues<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var items: [Value] = []

  package init() {}

  package func add(_ value: Value) { lock.withLock { items.append(value) } }

  package var values: [Value] { lock.withLock { items } }
}
