/// A part of a ``ChunkedArray``: some elements, or some smaller parts.
@usableFromInline
struct ArrayChunk<Element> {
  /// The elements; empty if there are smaller parts.
  @usableFromInline
  var elements: [Element]
  /// The smaller parts, each with elements; empty if there are elements.
  @usableFromInline
  var chunks: [ArrayChunk]
  @usableFromInline
  var count: Int

  /// The maximum number of elements or parts in a part that has changed.
  @usableFromInline
  static var most: Int { 16 }

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

  /// Returns the elements around an index, and the index of the first of them.
  @inlinable
  func leaf(at index: Int) -> (elements: [Element], start: Int) {
    var (chunk, start) = (self, 0)
    while !chunk.chunks.isEmpty {
      let (place, before) = chunk.place(of: index - start)
      start += before
      chunk = chunk.chunks[place]
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

  /// Adds the elements of both lists of parts, except those in parts that both share.
  ///
  /// Skips the parts that both lists begin and end with. Compares the other parts pair by pair if
  /// both lists have the same number of them, and otherwise compares the smaller parts in them.
  @inlinable
  static func addNotShared(
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
      for (part, other) in zip(mine, theirs) { addNotShared([part], [other], to: &here, &there) }
    } else if depth == 0 {
      here += mine.flatMap(\.elements)
      there += theirs.flatMap(\.elements)
    } else {
      let isDeepest = { (part: ArrayChunk) in part.depth == depth }
      addNotShared(
        mine.flatMap { isDeepest($0) ? $0.chunks : [$0] },
        theirs.flatMap { isDeepest($0) ? $0.chunks : [$0] }, to: &here, &there)
    }
  }

  /// The number of levels of smaller parts.
  @inlinable
  var depth: Int { chunks.first.map { $0.depth + 1 } ?? 0 }

  /// Returns the position of the smaller part that has an index, and the number of elements before
  /// that part. The end index is in the last part.
  @inlinable
  func place(of index: Int) -> (chunk: Int, before: Int) {
    // The loops here and below use pointers. A debug build, as tests are, specializes no generic
    // code: each step through a sequence would be many calls, and each part a copy.
    chunks.withUnsafeBufferPointer { chunks in
      guard let first = chunks.baseAddress else { return (-1, 0) }
      var (place, before) = (0, 0)
      while place < chunks.count - 1, index >= before + first[place].count {
        before += first[place].count
        place += 1
      }
      return (place, before)
    }
  }

  @inlinable
  func firstIndex(from belongsToSecond: (UnsafePointer<Element>) -> Bool) -> Int {
    guard !chunks.isEmpty else {
      return elements.withUnsafeBufferPointer { $0.firstIndex(from: belongsToSecond) }
    }
    return chunks.withUnsafeBufferPointer { chunks in
      guard let first = chunks.baseAddress else { return 0 }
      let place = chunks.firstIndex(from: { $0.pointee.isLast(belongsToSecond) })
      var (before, part) = (0, 0)
      while part < place {
        before += first[part].count
        part += 1
      }
      return place == chunks.count
        ? before : before + first[place].firstIndex(from: belongsToSecond)
    }
  }

  /// Returns the first element that satisfies a condition, as all elements after it do, or nil.
  @inlinable
  func first(from belongsToSecond: (UnsafePointer<Element>) -> Bool) -> Element? {
    guard !chunks.isEmpty else {
      let place = elements.withUnsafeBufferPointer { $0.firstIndex(from: belongsToSecond) }
      return place < elements.count ? elements[place] : nil
    }
    let place = chunks.withUnsafeBufferPointer { chunks in
      chunks.firstIndex(from: { $0.pointee.isLast(belongsToSecond) })
    }
    return place < chunks.count ? chunks[place].first(from: belongsToSecond) : nil
  }

  /// True if the last element satisfies a condition; false if there are no elements.
  @inlinable
  func isLast(_ satisfies: (UnsafePointer<Element>) -> Bool) -> Bool {
    guard chunks.isEmpty else {
      return chunks.withUnsafeBufferPointer { chunks in
        guard let first = chunks.baseAddress else { return false }
        return first[chunks.count - 1].isLast(satisfies)
      }
    }
    return elements.withUnsafeBufferPointer { elements in
      guard let first = elements.baseAddress, elements.count > 0 else { return false }
      return satisfies(first + (elements.count - 1))
    }
  }

  @inlinable
  mutating func modify<Failure: Error>(
    at index: Int, _ change: (inout Element) throws(Failure) -> Void
  ) throws(Failure) {
    divide()
    guard !chunks.isEmpty else { return try change(&elements[index]) }
    let (place, before) = place(of: index)
    try chunks[place].modify(at: index - before, change)
  }

  /// Inserts an element before the one at an index; the part may then exceed `most` by one.
  @inlinable
  mutating func insert(_ element: Element, at index: Int) {
    divide()
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
    let (place, before) = place(of: index)
    chunks[place].insert(element, at: index - before)
    if let tail = chunks[place].overflow() { chunks.insert(tail, at: place + 1) }
  }

  @inlinable
  mutating func remove(at index: Int) {
    divide()
    count -= 1
    guard !chunks.isEmpty else {
      elements.remove(at: index)
      return
    }
    let (place, before) = place(of: index)
    chunks[place].remove(at: index - before)
    if chunks[place].count == 0 {
      chunks.remove(at: place)
    } else {
      mergeIfSmall(place)
    }
  }

  @inlinable
  mutating func mergeIfSmall(_ place: Int) {
    let next = place + 1
    guard next < chunks.count, chunks[place].chunks.isEmpty == chunks[next].chunks.isEmpty,
      chunks[place].width + chunks[next].width <= Self.most / 2
    else { return }
    let tail = chunks.remove(at: next)
    chunks[place].elements += tail.elements
    chunks[place].chunks += tail.chunks
    chunks[place].count += tail.count
  }

  @inlinable
  var width: Int { chunks.isEmpty ? elements.count : chunks.count }

  /// Removes and returns the second half of a part that exceeds `most`, or returns nil.
  @inlinable
  mutating func overflow() -> ArrayChunk? {
    guard width > Self.most else { return nil }
    let middle = width / 2
    let tail =
      chunks.isEmpty
      ? ArrayChunk(Array(elements[middle...])) : ArrayChunk(chunks: Array(chunks[middle...]))
    self =
      chunks.isEmpty
      ? ArrayChunk(Array(elements[..<middle])) : ArrayChunk(chunks: Array(chunks[..<middle]))
    return tail
  }

  /// Divides a part that was made at once and is larger than `most`.
  @inlinable
  mutating func divide() {
    guard elements.count > Self.most else { return }
    let half = Self.most / 2
    var parts = elements.parts(of: half).map { ArrayChunk($0) }
    while parts.count > Self.most {
      parts = parts.parts(of: half).map { ArrayChunk(chunks: $0) }
    }
    self = ArrayChunk(chunks: parts)
  }

  /// True if both share all their storage; false does not mean that they differ.
  @inlinable
  func isIdentical(to other: ArrayChunk) -> Bool {
    elements.isIdentical(to: other.elements) && chunks.isIdentical(to: other.chunks)
  }
}

extension Array {
  /// Returns the elements in arrays of a size; the last array may have fewer.
  @inlinable
  func parts(of size: Int) -> [[Element]] {
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
  /// True if both have the same elements. Shared parts are not compared, and all others once.
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
