extension Sequence {
  /// Returns the elements in groups with the same key, in the order in which the keys first occur.
  @inlinable
  public func grouped<Key: Hashable>(by key: (Element) -> Key) -> [[Element]] {
    var groups: [[Element]] = []
    var indices: [Key: Int] = [:]
    for element in self {
      let key = key(element)
      if let index = indices[key] {
        groups[index].append(element)
      } else {
        indices[key] = groups.count
        groups.append([element])
      }
    }
    return groups
  }
}

extension RandomAccessCollection {
  /// Returns the first index whose element satisfies a condition, as all elements after it do.
  ///
  /// ```swift
  /// [1, 3, 5, 7].partitioningIndex { $0 >= 4 }  // 2
  /// ```
  ///
  /// The binary search returns the end index if no element satisfies the condition.
  @inlinable
  public func partitioningIndex(where belongsToSecond: (Element) -> Bool) -> Index {
    var low = startIndex
    var count = self.count
    while count > 0 {
      let middle = index(low, offsetBy: count / 2)
      if belongsToSecond(self[middle]) {
        count /= 2
      } else {
        low = index(after: middle)
        count -= count / 2 + 1
      }
    }
    return low
  }
}

extension Array {
  /// Inserts an element if it is among the `most` largest so far. The largest element is first, and
  /// of equal elements the one inserted first.
  public mutating func keep(
    _ element: Element, amongLargest most: Int, by size: (Element) -> Int64
  ) {
    let place = partitioningIndex { size($0) < size(element) }
    guard place < most else { return }
    insert(element, at: place)
    if count > most { removeLast() }
  }
}
