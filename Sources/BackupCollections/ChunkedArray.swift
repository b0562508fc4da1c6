/// An array whose copies share chunks of elements. A change after a copy duplicates only a few
/// chunks.
///
/// Use it to keep many versions of a value, such as the container after each step of a run. A new
/// array is one chunk until its first change. The chunks form a tree, whose leaves have the
/// elements.
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

  /// Returns true if both arrays share all their storage, and so are equal. If false, the arrays
  /// may still be equal.
  @inlinable
  public func isIdentical(to other: ChunkedArray) -> Bool { root.isIdentical(to: other.root) }

  /// Returns the elements of this array (`here`) and of another array (`there`), both in order.
  /// Leaves out elements in chunks that both arrays share.
  @inlinable
  public func elementsNotShared(with other: ChunkedArray) -> (here: [Element], there: [Element]) {
    var (here, there): ([Element], [Element]) = ([], [])
    ArrayChunk.appendUnshared([root], [other.root], to: &here, &there)
    return (here, there)
  }

  /// Calls `body` with the elements of each chunk, in order.
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

  /// Inserts an element before the element at `index`, or at the end if `index` is the end index.
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
  public func firstIndex(from condition: (UnsafePointer<Element>) -> Bool) -> Int {
    // No search is needed if even the last element does not satisfy the condition.
    root.lastSatisfies(condition) ? root.firstIndex(from: condition) : root.count
  }

  /// Returns the first element that satisfies a condition, or nil. All elements after it must
  /// satisfy the condition too. This is faster than ``firstIndex(from:)`` and a subscript: it goes
  /// down the levels of chunks only once.
  @inlinable
  public func first(from condition: (UnsafePointer<Element>) -> Bool) -> Element? {
    root.first(from: condition)
  }

  /// Returns an iterator that begins with the first element.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(root) }

  /// An iterator that keeps the elements of one chunk at a time.
  public struct Iterator: IteratorProtocol {
    @usableFromInline
    let root: ArrayChunk<Element>
    /// The elements of the current leaf.
    @usableFromInline
    var leaf: [Element]
    /// The number of elements of the current leaf that `next()` has returned.
    @usableFromInline
    var offset = 0
    /// The number of elements before the current leaf.
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
  /// Returns true if both arrays have equal elements. Skips chunks that both share, unless the
  /// elements are divided into chunks differently.
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
