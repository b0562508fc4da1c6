extension Sequence {
  /// Returns groups of elements with equal keys. The groups are in the order in which their keys
  /// first occur.
  @inlinable
  public func grouped<Key: Hashable>(by keyOf: (Element) -> Key) -> [[Element]] {
    var groups: [[Element]] = []
    var indices: [Key: Int] = [:]
    for element in self {
      let key = keyOf(element)
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
  /// Returns the index of the first element that satisfies a condition. All elements after it must
  /// satisfy the condition too.
  ///
  /// ```swift
  /// [1, 3, 5, 7].partitioningIndex { $0 >= 4 }  // 2
  /// ```
  ///
  /// Returns the end index if no element satisfies the condition. This is a binary search.
  @inlinable
  public func partitioningIndex(where condition: (Element) -> Bool) -> Index {
    var low = startIndex
    var count = self.count
    while count > 0 {
      let middle = index(low, offsetBy: count / 2)
      if condition(self[middle]) {
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
  /// Inserts an element if it is among the `limit` largest so far. If the array then has more than
  /// `limit` elements, removes the smallest.
  ///
  /// The array must be sorted, with the largest element first. Elements of equal size stay in the
  /// order of their insertion.
  public mutating func keep(
    _ element: Element, amongLargest limit: Int, by size: (Element) -> Int64
  ) {
    let index = partitioningIndex { size($0) < size(element) }
    guard index < limit else { return }
    insert(element, at: index)
    if count > limit { removeLast() }
  }
}
