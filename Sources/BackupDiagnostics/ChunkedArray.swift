/// An array in chunks that its copies share: a change after a copy costs one chunk, not all of it.
///
/// It is for values of which many versions are kept, as a container after each of many steps. What
/// is made at once is one chunk until it changes.
package struct ChunkedArray<Element> {
  /// The elements; no chunk is empty.
  @usableFromInline
  var chunks: [[Element]]

  /// The most elements of a chunk that has changed.
  @usableFromInline
  static var mostInChunk: Int { 64 }

  /// An array of some elements.
  @inlinable
  package init(_ elements: [Element] = []) {
    self.chunks = elements.isEmpty ? [] : [elements]
  }

  /// Where an element is, or would be put.
  package struct Position {
    /// The index of the chunk.
    @usableFromInline
    var chunk: Int
    /// The index in it.
    @usableFromInline
    var offset: Int

    /// An index in a chunk.
    @inlinable
    init(chunk: Int, offset: Int) {
      self.chunk = chunk
      self.offset = offset
    }
  }
}

extension ChunkedArray {
  /// Whether there are none.
  @inlinable
  package var isEmpty: Bool { chunks.isEmpty }

  /// How many there are.
  @inlinable
  package var count: Int { chunks.reduce(0) { $0 + $1.count } }

  /// All, in one array.
  @inlinable
  package var elements: [Element] { chunks.count == 1 ? chunks[0] : Array(chunks.joined()) }

  /// Calls `body` with each element.
  @inlinable
  package func forEach<Failure: Error>(
    _ body: (Element) throws(Failure) -> Void
  ) throws(Failure) {
    for chunk in chunks {
      for element in chunk { try body(element) }
    }
  }

  /// The element at a position; nil at the end.
  @inlinable
  package subscript(position: Position) -> Element? {
    guard position.chunk < chunks.count, position.offset < chunks[position.chunk].count else {
      return nil
    }
    return chunks[position.chunk][position.offset]
  }

  /// The position from which on all elements satisfy a condition, as none does before; a binary
  /// search.
  @inlinable
  package func position(where belongsToSecond: (Element) -> Bool) -> Position {
    let chunk = chunks.partitioningIndex { $0.last.map(belongsToSecond) ?? false }
    guard chunk < chunks.count else { return endOfLast }
    return Position(
      chunk: chunk, offset: chunks[chunk].partitioningIndex(where: belongsToSecond))
  }

  /// Behind the last element.
  @usableFromInline
  var endOfLast: Position {
    Position(chunk: Swift.max(0, chunks.count - 1), offset: chunks.last?.count ?? 0)
  }
}

extension ChunkedArray {
  /// Changes an element in place.
  ///
  /// - Parameters:
  ///   - position: Where an element is.
  ///   - change: Changes it.
  @inlinable
  package mutating func modify<Failure: Error>(
    at position: Position, _ change: (inout Element) throws(Failure) -> Void
  ) throws(Failure) {
    let place = divided(at: position)
    try change(&chunks[place.chunk][place.offset])
  }

  /// Puts an element before the one at a position.
  @inlinable
  package mutating func insert(_ element: Element, at position: Position) {
    guard !chunks.isEmpty else {
      chunks = [[element]]
      return
    }
    let place = divided(at: position)
    chunks[place.chunk].insert(element, at: place.offset)
    guard chunks[place.chunk].count > Self.mostInChunk else { return }
    // At the end of all a chunk is left full, because what is added in order comes there.
    let isLast = place.chunk == chunks.count - 1 && place.offset == chunks[place.chunk].count - 1
    let middle = isLast ? chunks[place.chunk].count - 1 : Self.mostInChunk / 2
    let tail = Array(chunks[place.chunk][middle...])
    chunks[place.chunk].removeSubrange(middle...)
    chunks.insert(tail, at: place.chunk + 1)
  }

  /// Takes the element at a position out.
  @inlinable
  package mutating func remove(at position: Position) {
    let place = divided(at: position)
    chunks[place.chunk].remove(at: place.offset)
    let next = place.chunk + 1
    if chunks[place.chunk].isEmpty {
      chunks.remove(at: place.chunk)
    } else if next < chunks.count,
      chunks[place.chunk].count + chunks[next].count <= Self.mostInChunk / 2
    {
      chunks[place.chunk] += chunks.remove(at: next)
    }
  }

  /// Where a position is once its chunk is no larger than a changed one may be.
  @usableFromInline
  mutating func divided(at position: Position) -> Position {
    let chunk = chunks[position.chunk]
    guard chunk.count > Self.mostInChunk else { return position }
    let size = Self.mostInChunk / 2
    let starts = stride(from: 0, to: chunk.count, by: size)
    chunks.replaceSubrange(
      position.chunk...position.chunk,
      with: starts.map { Array(chunk[$0..<Swift.min($0 + size, chunk.count)]) })
    // What stands behind the last element stays behind it, in its chunk.
    let index = Swift.min(position.offset / size, starts.underestimatedCount - 1)
    return Position(chunk: position.chunk + index, offset: position.offset - index * size)
  }
}

extension ChunkedArray: Sendable where Element: Sendable {}

extension ChunkedArray: Equatable where Element: Equatable {
  /// Whether both have the same elements; what they share is not looked at.
  package static func == (left: ChunkedArray, right: ChunkedArray) -> Bool {
    let haveSameChunks =
      left.chunks.count == right.chunks.count
      && zip(left.chunks, right.chunks).allSatisfy { $0.count == $1.count }
    return haveSameChunks
      ? left.chunks == right.chunks : left.chunks.joined().elementsEqual(right.chunks.joined())
  }
}

extension ChunkedArray: Hashable where Element: Hashable {
  /// Hashes what `==` compares.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    forEach { hasher.combine($0) }
  }
}
