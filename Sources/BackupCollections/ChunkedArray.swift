/// An array whose copies share chunks. A change after a copy costs some chunks, not all of them.
///
/// Use it for values that are kept in many versions, such as a container after each of many steps.
/// An array that is created at once is one chunk until it changes.
public struct ChunkedArray<Element>: RandomAccessCollection {
  @usableFromInline
  var root: ArrayChunk<Element>

  /// Creates an array of elements.
  @inlinable
  public init(_ elements: [Element] = []) {
    self.root = ArrayChunk(elements)
  }

  @inlinable
  init(_ chunk: ArrayChunk<Element>) {
    self.root = chunk
  }

  /// Returns true if both arrays share all their storage, and so are equal. If false, they may
  /// still be equal.
  @inlinable
  public func isIdentical(to other: ChunkedArray) -> Bool { root.isIdentical(to: other.root) }

  /// Returns the elements of this array and of another, each in order, except those in chunks that
  /// both share.
  @inlinable
  public func elementsNotShared(with other: ChunkedArray) -> (here: [Element], there: [Element]) {
    var (here, there): ([Element], [Element]) = ([], [])
    ArrayChunk.appendUnshared([root], [other.root], to: &here, &there)
    return (here, there)
  }

  /// Calls `body` with the elements in order, in one array or several.
  ///
  /// This is faster than a loop over the elements: `body` can read an element without a copy.
  @inlinable
  public func forEachChunk<Failure: Error>(
    _ body: ([Element]) throws(Failure) -> Void
  ) throws(Failure) {
    try root.forEachLeaf(body)
  }

  /// All elements, in one array.
  @inlinable
  public var elements: [Element] { root.chunks.isEmpty ? root.elements : Array(self) }

  /// Changes an element in place.
  @inlinable
  public mutating func modify<Failure: Error>(
    at index: Int, _ change: (inout Element) throws(Failure) -> Void
  ) throws(Failure) {
    try root.modify(at: index, change)
  }

  /// Inserts an element before the one at an index, or after the last.
  @inlinable
  public mutating func insert(_ element: Element, at index: Int) {
    root.insert(element, at: index)
    if let tail = root.splitOffTail() { root = ArrayChunk(chunks: [root, tail]) }
  }

  /// Removes the element at an index.
  @inlinable
  public mutating func remove(at index: Int) {
    root.remove(at: index)
    if root.chunks.count == 1 { root = root.chunks[0] }
  }

  /// The index of the first element.
  @inlinable
  public var startIndex: Int { 0 }

  /// The index after the last element.
  @inlinable
  public var endIndex: Int { root.count }

  /// The element at an index.
  @inlinable
  public subscript(index: Int) -> Element {
    let (leaf, start) = root.leaf(at: index)
    return leaf[index - start]
  }

  /// Returns the index of the first element that satisfies a condition. All elements after it must
  /// satisfy the condition too.
  ///
  /// Returns the end index if no element satisfies the condition. The binary search reads the
  /// elements in place and copies none.
  @inlinable
  public func firstIndex(from belongsToSecond: (UnsafePointer<Element>) -> Bool) -> Int {
    // No search is needed if even the last element does not satisfy the condition.
    root.lastSatisfies(belongsToSecond) ? root.firstIndex(from: belongsToSecond) : root.count
  }

  /// Returns the first element that satisfies a condition, or nil. All elements after it must
  /// satisfy the condition too. The binary search descends the tree once.
  @inlinable
  public func first(from belongsToSecond: (UnsafePointer<Element>) -> Bool) -> Element? {
    root.first(from: belongsToSecond)
  }

  /// Returns an iterator that begins with the first element.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(root) }

  /// An iterator that goes from chunk to chunk.
  public struct Iterator: IteratorProtocol {
    @usableFromInline
    let root: ArrayChunk<Element>
    /// The leaf with the next element, or the leaf before it.
    @usableFromInline
    var leaf: [Element]
    @usableFromInline
    var offset = 0
    /// The number of elements before the leaf.
    @usableFromInline
    var start = 0

    @inlinable
    init(_ root: ArrayChunk<Element>) {
      self.root = root
      self.leaf = root.count == 0 ? [] : root.leaf(at: 0).elements
    }

    /// Returns the next element, or nil after the last.
    @inlinable
    public mutating func next() -> Element? {
      if offset == leaf.count {
        start += leaf.count
        guard start < root.count else {
          (leaf, offset) = ([], 0)
          return nil
        }
        (leaf, offset) = (root.leaf(at: start).elements, 0)
      }
      offset += 1
      return leaf[offset - 1]
    }
  }
}

extension ChunkedArray: Sendable where Element: Sendable {}

extension ChunkedArray.Iterator: Sendable where Element: Sendable {}

extension ChunkedArray: Equatable where Element: Equatable {
  /// Returns whether both have the same elements; shared chunks are not compared.
  @inlinable
  public static func == (left: ChunkedArray, right: ChunkedArray) -> Bool {
    left.root.hasSameElements(as: right.root)
  }
}

extension ChunkedArray: Hashable where Element: Hashable {
  /// Hashes the values that `==` compares.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(root.count)
    for element in self { hasher.combine(element) }
  }
}
