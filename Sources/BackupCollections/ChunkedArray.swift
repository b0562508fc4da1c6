/// An array in chunks that its copies share: a change after a copy costs one chunk, not all of it.
///
/// It is for values of which many versions are kept, as a container after each of many steps. What
/// is made at once is one chunk until it changes.
public struct ChunkedArray<Element> {
  /// The elements; no chunk is empty.
  @usableFromInline
  var chunks: [[Element]]
  /// The index of each chunk's first element.
  @usableFromInline
  var starts: [Int]
  /// How many elements there are.
  @usableFromInline
  var total: Int

  /// The most elements of a chunk that has changed.
  @usableFromInline
  static var mostInChunk: Int { 64 }

  /// An array of some elements.
  @inlinable
  public init(_ elements: [Element] = []) {
    self.chunks = elements.isEmpty ? [] : [elements]
    self.starts = elements.isEmpty ? [] : [0]
    self.total = elements.count
  }

  /// All, in one array.
  @inlinable
  public var elements: [Element] { chunks.count == 1 ? chunks[0] : Array(chunks.joined()) }

  /// The chunk that an element is in.
  @inlinable
  func chunk(of index: Int) -> Int {
    chunks.count == 1 ? 0 : starts.partitioningIndex { $0 > index } - 1
  }
}

extension ChunkedArray: RandomAccessCollection {
  /// The index of the first element.
  @inlinable
  public var startIndex: Int { 0 }

  /// The index behind the last element.
  @inlinable
  public var endIndex: Int { total }

  /// The element at an index.
  @inlinable
  public subscript(index: Int) -> Element {
    let chunk = chunk(of: index)
    return chunks[chunk][index - starts[chunk]]
  }

  /// Goes from chunk to chunk.
  @inlinable
  public func makeIterator() -> FlattenSequence<[[Element]]>.Iterator {
    chunks.joined().makeIterator()
  }

  /// The index from which on all elements satisfy a condition, as none does before; a binary search.
  @inlinable
  public func firstIndex(from belongsToSecond: (Element) -> Bool) -> Int {
    let chunk = chunks.partitioningIndex { $0.last.map(belongsToSecond) ?? false }
    guard chunk < chunks.count else { return total }
    return starts[chunk] + chunks[chunk].partitioningIndex(where: belongsToSecond)
  }
}

extension ChunkedArray {
  /// Changes an element in place.
  ///
  /// - Parameters:
  ///   - index: Where it is.
  ///   - change: Changes it.
  /// - Throws: What `change` throws.
  @inlinable
  public mutating func modify<Failure: Error>(
    at index: Int, _ change: (inout Element) throws(Failure) -> Void
  ) throws(Failure) {
    let chunk = chunkToChange(at: index)
    try change(&chunks[chunk][index - starts[chunk]])
  }

  /// Puts an element before the one at an index, or behind the last.
  @inlinable
  public mutating func insert(_ element: Element, at index: Int) {
    guard !chunks.isEmpty else {
      self = ChunkedArray([element])
      return
    }
    let chunk = chunkToChange(at: index)
    chunks[chunk].insert(element, at: index - starts[chunk])
    shiftStarts(behind: chunk, by: 1)
    if chunks[chunk].count > Self.mostInChunk { divide(chunk, isAtEnd: index == total - 1) }
  }

  /// Takes an element out.
  @inlinable
  public mutating func remove(at index: Int) {
    let chunk = chunkToChange(at: index)
    chunks[chunk].remove(at: index - starts[chunk])
    shiftStarts(behind: chunk, by: -1)
    let next = chunk + 1
    if chunks[chunk].isEmpty {
      chunks.remove(at: chunk)
      starts.remove(at: chunk)
    } else if next < chunks.count,
      chunks[chunk].count + chunks[next].count <= Self.mostInChunk / 2
    {
      chunks[chunk] += chunks.remove(at: next)
      starts.remove(at: next)
    }
  }

  /// Counts an element more or less in a chunk.
  @usableFromInline
  mutating func shiftStarts(behind chunk: Int, by distance: Int) {
    total += distance
    for index in starts.indices.dropFirst(chunk + 1) { starts[index] += distance }
  }

  /// Makes two chunks of one; where elements are added in order the first stays full.
  @usableFromInline
  mutating func divide(_ chunk: Int, isAtEnd: Bool) {
    let middle = isAtEnd ? chunks[chunk].count - 1 : chunks[chunk].count / 2
    let tail = Array(chunks[chunk][middle...])
    chunks[chunk].removeSubrange(middle...)
    chunks.insert(tail, at: chunk + 1)
    starts.insert(starts[chunk] + middle, at: chunk + 1)
  }

  /// The chunk to change for an index; one that was made at once is divided into small ones first.
  @usableFromInline
  mutating func chunkToChange(at index: Int) -> Int {
    let chunk = Swift.min(chunk(of: index), chunks.count - 1)
    let (elements, start) = (chunks[chunk], starts[chunk])
    guard elements.count > Self.mostInChunk else { return chunk }
    let size = Self.mostInChunk / 2
    let offsets = Array(stride(from: 0, to: elements.count, by: size))
    let parts = offsets.map { Array(elements[$0..<Swift.min($0 + size, elements.count)]) }
    chunks.replaceSubrange(chunk...chunk, with: parts)
    starts.replaceSubrange(chunk...chunk, with: offsets.map { start + $0 })
    return chunk + Swift.min((index - start) / size, parts.count - 1)
  }
}

extension ChunkedArray: Sendable where Element: Sendable {}

extension ChunkedArray: Equatable where Element: Equatable {
  /// Whether both have the same elements; what they share is not looked at.
  public static func == (left: ChunkedArray, right: ChunkedArray) -> Bool {
    left.starts == right.starts
      ? left.chunks == right.chunks : left.total == right.total && left.elementsEqual(right)
  }
}

extension ChunkedArray: Hashable where Element: Hashable {
  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(total)
    for element in self { hasher.combine(element) }
  }
}
