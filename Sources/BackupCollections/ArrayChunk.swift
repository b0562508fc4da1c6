/// A chunk of a ``ChunkedArray``: a leaf with elements, or a node with smaller chunks.
@usableFromInline
struct ArrayChunk<Element> {
  /// The elements of a leaf; empty in a node.
  @usableFromInline
  var elements: [Element]
  /// The chunks of a node, none of which is empty; empty in a leaf.
  @usableFromInline
  var chunks: [ArrayChunk]
  @usableFromInline
  var count: Int

  /// The maximum width of a chunk that has changed.
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

  /// Returns the elements of the leaf that has an index, and the index of the first of them.
  @inlinable
  func leaf(at index: Int) -> (elements: [Element], start: Int) {
    var (chunk, start) = (self, 0)
    while !chunk.chunks.isEmpty {
      let (position, before) = chunk.position(of: index - start)
      start += before
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

  /// Appends the elements of both lists of chunks, except those in shared chunks.
  ///
  /// Skips the chunks that both lists begin or end with. If both lists then have equally many
  /// chunks, compares them pair by pair; otherwise, compares the smaller chunks in them.
  @inlinable
  static func appendUnshared(
    _ mine: [ArrayChunk], _ theirs: [ArrayChunk], to here: inout [Element],
    _ there: inout [Element]
  ) {
    var (mine, theirs) = (mine[...], theirs[...])
    while let first = mine.first, theirs.first?.isIdentical(to: first) == true {
      (mine, theirs) = (mine.dropFirst(), theirs.dropFirst())
    }
    while let last = mine.last, theirs.last?.isIdentical(to: last) == true {
      (mine, theirs) = (mine.dropLast(), theirs.dropLast())
    }
    let depth = max(mine.first?.depth ?? 0, theirs.first?.depth ?? 0)
    if mine.count == theirs.count, mine.count > 1 {
      for (part, other) in zip(mine, theirs) { appendUnshared([part], [other], to: &here, &there) }
    } else if depth == 0 {
      here += mine.flatMap(\.elements)
      there += theirs.flatMap(\.elements)
    } else {
      let isDeepest = { (part: ArrayChunk) in part.depth == depth }
      appendUnshared(
        mine.flatMap { isDeepest($0) ? $0.chunks : [$0] },
        theirs.flatMap { isDeepest($0) ? $0.chunks : [$0] }, to: &here, &there)
    }
  }

  /// The number of levels of smaller chunks.
  @inlinable
  var depth: Int { chunks.first.map { $0.depth + 1 } ?? 0 }

  /// Returns the position of the smaller chunk that has an index, and the number of elements before
  /// it. The end index is in the last chunk.
  @inlinable
  func position(of index: Int) -> (chunk: Int, before: Int) {
    // The loops here and below use pointers. Debug builds, such as tests, specialize no generic
    // code: each step through a sequence would be many calls, and each chunk a copy.
    chunks.withUnsafeBufferPointer { chunks in
      guard let first = chunks.baseAddress else { return (-1, 0) }
      var (position, before) = (0, 0)
      while position < chunks.count - 1, index >= before + first[position].count {
        before += first[position].count
        position += 1
      }
      return (position, before)
    }
  }

  @inlinable
  func firstIndex(from belongsToSecond: (UnsafePointer<Element>) -> Bool) -> Int {
    guard !chunks.isEmpty else {
      return elements.withUnsafeBufferPointer { $0.firstIndex(from: belongsToSecond) }
    }
    return chunks.withUnsafeBufferPointer { chunks in
      guard let first = chunks.baseAddress else { return 0 }
      let position = chunks.firstIndex(from: { $0.pointee.lastSatisfies(belongsToSecond) })
      var (before, part) = (0, 0)
      while part < position {
        before += first[part].count
        part += 1
      }
      return position == chunks.count
        ? before : before + first[position].firstIndex(from: belongsToSecond)
    }
  }

  /// Returns the first element that satisfies a condition, as all elements after it do, or nil.
  @inlinable
  func first(from belongsToSecond: (UnsafePointer<Element>) -> Bool) -> Element? {
    guard !chunks.isEmpty else {
      let position = elements.withUnsafeBufferPointer { $0.firstIndex(from: belongsToSecond) }
      return position < elements.count ? elements[position] : nil
    }
    let position = chunks.withUnsafeBufferPointer { chunks in
      chunks.firstIndex(from: { $0.pointee.lastSatisfies(belongsToSecond) })
    }
    return position < chunks.count ? chunks[position].first(from: belongsToSecond) : nil
  }

  /// True if the last element satisfies a condition; false if there are no elements.
  @inlinable
  func lastSatisfies(_ condition: (UnsafePointer<Element>) -> Bool) -> Bool {
    guard chunks.isEmpty else {
      return chunks.withUnsafeBufferPointer { chunks in
        guard let first = chunks.baseAddress else { return false }
        return first[chunks.count - 1].lastSatisfies(condition)
      }
    }
    return elements.withUnsafeBufferPointer { elements in
      guard let first = elements.baseAddress, elements.count > 0 else { return false }
      return condition(first + (elements.count - 1))
    }
  }

  @inlinable
  mutating func modify<Failure: Error>(
    at index: Int, _ change: (inout Element) throws(Failure) -> Void
  ) throws(Failure) {
    splitIfTooWide()
    guard !chunks.isEmpty else { return try change(&elements[index]) }
    let (position, before) = position(of: index)
    try chunks[position].modify(at: index - before, change)
  }

  /// Inserts an element before the one at an index. The chunk may then be too wide by one.
  @inlinable
  mutating func insert(_ element: Element, at index: Int) {
    splitIfTooWide()
    count += 1
    guard !chunks.isEmpty else {
      // A copy with just this capacity: an array that grows would take twice as much.
      var grown: [Element] = []
      grown.reserveCapacity(count)
      grown += elements[..<index]
      grown.append(element)
      grown += elements[index...]
      elements = grown
      return
    }
    let (position, before) = position(of: index)
    chunks[position].insert(element, at: index - before)
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
    let (position, before) = position(of: index)
    chunks[position].remove(at: index - before)
    if chunks[position].count == 0 {
      chunks.remove(at: position)
    } else {
      mergeIfSmall(position)
    }
  }

  @inlinable
  mutating func mergeIfSmall(_ position: Int) {
    let next = position + 1
    guard next < chunks.count, chunks[position].chunks.isEmpty == chunks[next].chunks.isEmpty,
      chunks[position].width + chunks[next].width <= Self.maximumWidth / 2
    else { return }
    let tail = chunks.remove(at: next)
    chunks[position].elements += tail.elements
    chunks[position].chunks += tail.chunks
    chunks[position].count += tail.count
  }

  @inlinable
  var width: Int { chunks.isEmpty ? elements.count : chunks.count }

  /// Removes and returns the second half of a chunk that is too wide; otherwise, returns nil.
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

  /// Splits a leaf that is too wide because it was created at once.
  @inlinable
  mutating func splitIfTooWide() {
    guard elements.count > Self.maximumWidth else { return }
    let half = Self.maximumWidth / 2
    var parts = elements.chunks(ofCount: half).map { ArrayChunk($0) }
    while parts.count > Self.maximumWidth {
      parts = parts.chunks(ofCount: half).map { ArrayChunk(chunks: $0) }
    }
    self = ArrayChunk(chunks: parts)
  }

  /// True if both share all their storage. If false, they may still be equal.
  @inlinable
  func isIdentical(to other: ArrayChunk) -> Bool {
    elements.isIdentical(to: other.elements) && chunks.isIdentical(to: other.chunks)
  }
}

extension Array {
  /// Returns the elements in arrays of a size. The last array may have fewer elements.
  @inlinable
  func chunks(ofCount size: Int) -> [[Element]] {
    var parts: [[Element]] = []
    parts.reserveCapacity(count / size + 1)
    var rest = self[...]
    while !rest.isEmpty {
      parts.append(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    return parts
  }
}

extension UnsafeBufferPointer {
  /// Returns the index of the first element that satisfies a condition. All elements after it must
  /// satisfy the condition too.
  @inlinable
  func firstIndex(from belongsToSecond: (UnsafePointer<Element>) -> Bool) -> Int {
    guard let first = baseAddress else { return 0 }
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if belongsToSecond(first + middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension ArrayChunk: Sendable where Element: Sendable {}

extension ArrayChunk where Element: Equatable {
  /// True if both have the same elements. Shared chunks are not compared.
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
  /// True if both have the same storage, or are empty.
  @inlinable
  func isIdentical(to other: [Element]) -> Bool {
    guard count == other.count else { return false }
    return withUnsafeBufferPointer { mine in
      other.withUnsafeBufferPointer { mine.isEmpty || mine.baseAddress == $0.baseAddress }
    }
  }
}
