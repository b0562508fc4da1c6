/// A chunk of a ``ChunkedArray``: either a leaf with elements, or a node with smaller chunks.
@usableFromInline
struct ArrayChunk<Element> {
  /// The elements of a leaf; empty in a node.
  @usableFromInline
  var elements: [Element]
  /// The smaller chunks of a node, each of which has elements; empty in a leaf.
  @usableFromInline
  var chunks: [ArrayChunk]
  /// The number of elements in the leaf, or in all leaves below the node.
  @usableFromInline
  var count: Int

  /// The maximum ``width`` of a chunk after its first change. A new leaf may be wider.
  @usableFromInline
  static var maximumWidth: Int { 16 }

  @inlinable
  init(_ elements: [Element]) {
    self.elements = elements
    self.chunks = []
    self.count = elements.count
  }

  @inlinable
  init(chunks: [ArrayChunk]) {
    self.elements = []
    self.chunks = chunks
    self.count = chunks.reduce(0) { $0 + $1.count }
  }

  /// Returns the elements of the leaf that contains the element at `index`. `start` is the index of
  /// the leaf's first element.
  @inlinable
  func leaf(at index: Int) -> (elements: [Element], start: Int) {
    var (chunk, start) = (self, 0)
    while !chunk.chunks.isEmpty {
      let (position, precedingCount) = chunk.positionOfChunk(containing: index - start)
      start += precedingCount
      chunk = chunk.chunks[position]
    }
    return (chunk.elements, start)
  }

  @inlinable
  func forEachLeaf<Failure: Error>(_ body: ([Element]) throws(Failure) -> Void) throws(Failure) {
    guard chunks.isEmpty else {
      for chunk in chunks { try chunk.forEachLeaf(body) }
      return
    }
    try body(elements)
  }

  /// Appends the elements of `left` to `leftElements`, and those of `right` to `rightElements`.
  /// Leaves out elements in chunks that both lists share.
  ///
  /// Skips the chunks that both lists begin or end with. If both lists then have equally many
  /// chunks, and more than one, compares them pair by pair. If all chunks are leaves, appends their
  /// elements. In any other case, replaces the deepest chunks by the smaller chunks in them, and
  /// compares the lists again.
  @inlinable
  static func appendUnshared(
    _ left: [ArrayChunk], _ right: [ArrayChunk], to leftElements: inout [Element],
    _ rightElements: inout [Element]
  ) {
    var (left, right) = (left[...], right[...])
    while let first = left.first, right.first?.isIdentical(to: first) == true {
      (left, right) = (left.dropFirst(), right.dropFirst())
    }
    while let last = left.last, right.last?.isIdentical(to: last) == true {
      (left, right) = (left.dropLast(), right.dropLast())
    }
    let depth = max(left.first?.depth ?? 0, right.first?.depth ?? 0)
    if left.count == right.count, left.count > 1 {
      for (leftChunk, rightChunk) in zip(left, right) {
        appendUnshared([leftChunk], [rightChunk], to: &leftElements, &rightElements)
      }
    } else if depth == 0 {
      leftElements += left.flatMap(\.elements)
      rightElements += right.flatMap(\.elements)
    } else {
      let isDeepest = { (chunk: ArrayChunk) in chunk.depth == depth }
      appendUnshared(
        left.flatMap { isDeepest($0) ? $0.chunks : [$0] },
        right.flatMap { isDeepest($0) ? $0.chunks : [$0] }, to: &leftElements, &rightElements)
    }
  }

  /// The number of levels of chunks below this chunk; 0 for a leaf.
  @inlinable
  var depth: Int { chunks.first.map { $0.depth + 1 } ?? 0 }

  /// Returns the position in ``chunks`` of the chunk that contains the element at `index`, and the
  /// number of elements before that chunk. For the end index, the position is that of the last
  /// chunk.
  @inlinable
  func positionOfChunk(containing index: Int) -> (position: Int, precedingCount: Int) {
    // Loops in this type use pointers, because tests run in debug builds, which do not specialize
    // generic code. Each step of a loop over a sequence would make many calls and copy a chunk.
    chunks.withUnsafeBufferPointer { chunks in
      guard let base = chunks.baseAddress else { return (-1, 0) }
      var (position, precedingCount) = (0, 0)
      while position < chunks.count - 1, index >= precedingCount + base[position].count {
        precedingCount += base[position].count
        position += 1
      }
      return (position, precedingCount)
    }
  }

  /// Returns the index of the first element that satisfies a condition, or `count`. All elements
  /// after it must satisfy the condition too.
  @inlinable
  func firstIndex(from condition: (UnsafePointer<Element>) -> Bool) -> Int {
    guard !chunks.isEmpty else {
      return elements.withUnsafeBufferPointer { $0.firstIndex(from: condition) }
    }
    return chunks.withUnsafeBufferPointer { chunks in
      guard let base = chunks.baseAddress else { return 0 }
      let position = chunks.firstIndex(from: { $0.pointee.lastSatisfies(condition) })
      var (precedingCount, index) = (0, 0)
      while index < position {
        precedingCount += base[index].count
        index += 1
      }
      return position == chunks.count
        ? precedingCount : precedingCount + base[position].firstIndex(from: condition)
    }
  }

  /// Returns the first element that satisfies a condition, or nil. All elements after it must
  /// satisfy the condition too.
  @inlinable
  func first(from condition: (UnsafePointer<Element>) -> Bool) -> Element? {
    guard !chunks.isEmpty else {
      let position = elements.withUnsafeBufferPointer { $0.firstIndex(from: condition) }
      return position < elements.count ? elements[position] : nil
    }
    let position = chunks.withUnsafeBufferPointer { chunks in
      chunks.firstIndex(from: { $0.pointee.lastSatisfies(condition) })
    }
    return position < chunks.count ? chunks[position].first(from: condition) : nil
  }

  /// True if the last element satisfies a condition; false if there are no elements.
  @inlinable
  func lastSatisfies(_ condition: (UnsafePointer<Element>) -> Bool) -> Bool {
    guard chunks.isEmpty else {
      return chunks.withUnsafeBufferPointer { chunks in
        guard let base = chunks.baseAddress else { return false }
        return base[chunks.count - 1].lastSatisfies(condition)
      }
    }
    return elements.withUnsafeBufferPointer { elements in
      guard let base = elements.baseAddress, elements.count > 0 else { return false }
      return condition(base + (elements.count - 1))
    }
  }

  @inlinable
  mutating func modify<Failure: Error>(
    at index: Int, _ change: (inout Element) throws(Failure) -> Void
  ) throws(Failure) {
    splitIfTooWide()
    guard !chunks.isEmpty else { return try change(&elements[index]) }
    let (position, precedingCount) = positionOfChunk(containing: index)
    try chunks[position].modify(at: index - precedingCount, change)
  }

  /// Inserts an element before the element at `index`. The chunk may become too wide, so the caller
  /// must call ``splitOffTail()``.
  @inlinable
  mutating func insert(_ element: Element, at index: Int) {
    splitIfTooWide()
    count += 1
    guard !chunks.isEmpty else {
      // Creates an array with the exact capacity. An insertion in place may double the capacity.
      var newElements: [Element] = []
      newElements.reserveCapacity(count)
      newElements += elements[..<index]
      newElements.append(element)
      newElements += elements[index...]
      elements = newElements
      return
    }
    let (position, precedingCount) = positionOfChunk(containing: index)
    chunks[position].insert(element, at: index - precedingCount)
    if let tail = chunks[position].splitOffTail() { chunks.insert(tail, at: position + 1) }
  }

  @inlinable
  mutating func remove(at index: Int) {
    splitIfTooWide()
    count -= 1
    guard !chunks.isEmpty else {
      elements.remove(at: index)
      return
    }
    let (position, precedingCount) = positionOfChunk(containing: index)
    chunks[position].remove(at: index - precedingCount)
    if chunks[position].count == 0 {
      chunks.remove(at: position)
    } else {
      mergeWithNextIfSmall(position)
    }
  }

  /// Merges a chunk with the next one, if both are leaves or both are nodes. Does nothing if the
  /// result would be wider than half of ``maximumWidth``.
  @inlinable
  mutating func mergeWithNextIfSmall(_ position: Int) {
    let next = position + 1
    guard next < chunks.count, chunks[position].chunks.isEmpty == chunks[next].chunks.isEmpty,
      chunks[position].width + chunks[next].width <= Self.maximumWidth / 2
    else { return }
    let nextChunk = chunks.remove(at: next)
    chunks[position].elements += nextChunk.elements
    chunks[position].chunks += nextChunk.chunks
    chunks[position].count += nextChunk.count
  }

  /// The number of elements in a leaf, or of chunks directly in a node.
  @inlinable
  var width: Int { chunks.isEmpty ? elements.count : chunks.count }

  /// Removes and returns the second half of this chunk if the chunk is too wide. Otherwise, returns
  /// nil.
  @inlinable
  mutating func splitOffTail() -> ArrayChunk? {
    guard width > Self.maximumWidth else { return nil }
    let middle = width / 2
    let tail =
      chunks.isEmpty
      ? ArrayChunk(Array(elements[middle...])) : ArrayChunk(chunks: Array(chunks[middle...]))
    self =
      chunks.isEmpty
      ? ArrayChunk(Array(elements[..<middle])) : ArrayChunk(chunks: Array(chunks[..<middle]))
    return tail
  }

  /// Splits a leaf that was created with too many elements.
  @inlinable
  mutating func splitIfTooWide() {
    guard elements.count > Self.maximumWidth else { return }
    let half = Self.maximumWidth / 2
    var smallerChunks = elements.chunks(ofCount: half).map { ArrayChunk($0) }
    while smallerChunks.count > Self.maximumWidth {
      smallerChunks = smallerChunks.chunks(ofCount: half).map { ArrayChunk(chunks: $0) }
    }
    self = ArrayChunk(chunks: smallerChunks)
  }

  /// Returns true if both chunks share all their storage, and so are equal. If false, the chunks
  /// may still be equal.
  @inlinable
  func isIdentical(to other: ArrayChunk) -> Bool {
    elements.isIdentical(to: other.elements) && chunks.isIdentical(to: other.chunks)
  }
}

extension Array {
  /// Splits the array into arrays with `size` elements each. The last array may have fewer.
  @inlinable
  func chunks(ofCount size: Int) -> [[Element]] {
    var arrays: [[Element]] = []
    arrays.reserveCapacity(count / size + 1)
    var remainingElements = self[...]
    while !remainingElements.isEmpty {
      arrays.append(Array(remainingElements.prefix(size)))
      remainingElements = remainingElements.dropFirst(size)
    }
    return arrays
  }
}

extension UnsafeBufferPointer {
  /// Returns the index of the first element that satisfies a condition, or `count`. All elements
  /// after it must satisfy the condition too.
  @inlinable
  func firstIndex(from condition: (UnsafePointer<Element>) -> Bool) -> Int {
    guard let first = baseAddress else { return 0 }
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if condition(first + middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension ArrayChunk: Sendable where Element: Sendable {}

extension ArrayChunk where Element: Equatable {
  /// Returns true if both chunks have equal elements. Skips smaller chunks that both share, unless
  /// the elements are divided into chunks differently.
  @inlinable
  func hasSameElements(as other: ArrayChunk) -> Bool {
    guard count == other.count else { return false }
    if isIdentical(to: other) { return true }
    guard chunks.count == other.chunks.count,
      zip(chunks, other.chunks).allSatisfy({ $0.count == $1.count })
    else {
      return ChunkedArray(self).elementsEqual(ChunkedArray(other))
    }
    return chunks.isEmpty
      ? elements == other.elements
      : zip(chunks, other.chunks).allSatisfy { $0.hasSameElements(as: $1) }
  }
}

extension Array {
  /// Returns true if both arrays have the same storage, or if both are empty.
  @inlinable
  func isIdentical(to other: [Element]) -> Bool {
    guard count == other.count else { return false }
    return withUnsafeBufferPointer { elements in
      other.withUnsafeBufferPointer { elements.isEmpty || elements.baseAddress == $0.baseAddress }
    }
  }
}
