/// A map that is sorted by its keys. Copies share storage, so a change after a copy duplicates only
/// a part of the map.
public struct SortedMap<Key: Comparable, Value> {
  @usableFromInline
  var pairs = ChunkedArray<(key: Key, value: Value)>()

  /// Creates an empty map.
  @inlinable
  public init() {}

  /// True if the map is empty.
  @inlinable
  public var isEmpty: Bool { pairs.isEmpty }

  /// The pairs, in the order of their keys.
  @inlinable
  public var elements: [(key: Key, value: Value)] { pairs.elements }

  /// The value of a key, or nil if the map does not have the key. Setting nil removes the key.
  @inlinable
  public subscript(key: Key) -> Value? {
    get {
      guard let pair = pairs.first(from: { !($0.pointee.key < key) }), pair.key == key else {
        return nil
      }
      return pair.value
    }
    set {
      let index = pairs.firstIndex(from: { !($0.pointee.key < key) })
      let hasKey = index < pairs.endIndex && pairs[index].key == key
      switch (hasKey, newValue) {
      case (true, let value?): pairs.modify(at: index) { $0.value = value }
      case (true, nil): pairs.remove(at: index)
      case (false, let value?): pairs.insert((key, value), at: index)
      case (false, nil): break
      }
    }
  }
}

extension SortedMap: Sendable where Key: Sendable, Value: Sendable {}

extension SortedMap: Equatable where Value: Equatable {
  /// Returns true if both maps have equal pairs. Maps that share all storage are equal without a
  /// comparison.
  @inlinable
  public static func == (left: SortedMap, right: SortedMap) -> Bool {
    left.pairs.isIdentical(to: right.pairs)
      || left.pairs.count == right.pairs.count
        && zip(left.pairs, right.pairs).allSatisfy { $0.key == $1.key && $0.value == $1.value }
  }
}

extension SortedMap: Hashable where Key: Hashable, Value: Hashable {
  /// Hashes the number of pairs and the first eight pairs.
  ///
  /// This must be fast, because exploration hashes states with many maps at each step. States whose
  /// maps differ nearly always differ in another hashed property too.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(pairs.count)
    for pair in pairs.prefix(8) {
      hasher.combine(pair.key)
      hasher.combine(pair.value)
    }
  }
}
