/// A map in the order of its keys that its copies share: a change after a copy costs a part of it.
package struct SortedMap<Key: Comparable, Value> {
  /// The pairs, in the order of their keys.
  @usableFromInline
  var pairs = ChunkedArray<(key: Key, value: Value)>()

  /// An empty map.
  @inlinable
  package init() {}

  /// Whether there are none.
  @inlinable
  package var isEmpty: Bool { pairs.isEmpty }

  /// The pairs, in the order of their keys.
  @inlinable
  package var elements: [(key: Key, value: Value)] { pairs.elements }

  /// The value of a key; setting nil removes it.
  @inlinable
  package subscript(key: Key) -> Value? {
    get {
      let pair = pairs[pairs.position { $0.key >= key }]
      return pair?.key == key ? pair?.value : nil
    }
    set {
      let position = pairs.position { $0.key >= key }
      switch (pairs[position]?.key == key, newValue) {
      case (true, let value?): pairs.modify(at: position) { $0.value = value }
      case (true, nil): pairs.remove(at: position)
      case (false, let value?): pairs.insert((key, value), at: position)
      case (false, nil): break
      }
    }
  }
}

extension SortedMap: Sendable where Key: Sendable, Value: Sendable {}
