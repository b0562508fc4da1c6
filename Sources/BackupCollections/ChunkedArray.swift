/// An array in a tree of chunks that its copies share: a change after a copy costs some chunks, not
/// all of them.
///
/// Use it for values that are kept in many versions, such as a container after each of many steps.
/// What is made at once is one chunk until it changes.
public struct ChunkedArray<Element>: RandomAccessCollection {
  @usableFromInline
  var root: ArrayChunk<Element>

  /// An array of some elements.
  @inlinable
  public init(_ elements: [Element] = []) {
    self.root = ArrayChunk(elements)
  }

  @inlinable
  init(_ chunk: ArrayChunk<Element>) {
    self.root = chunk
  }

  /// Whether both share all their elements, so that they are equal; false says nothing.
  @inlinable
  public func isIdentical(to other: ChunkedArray) -> Bool { root.isIdentical(to: other.root) }

  /// The elements of this array and of another, each in order, without those in chunks that both
  /// share.
  @inlinable
  public func elementsNotShared(with other: ChunkedArray) -> (here: [Element], there: [Element]) {
    var (here, there): ([Element], [Element]) = ([], [])
    ArrayChunk.addNotShared([root], [other.root], to: &here, &there)
    return (here, there)
  }

  /// Calls `body` with the elements in order, in one array or several; quicker than one by one, for
  /// an element that is looked at in an array is not copied.
  @inlinable
  public func forEachChunk<Failure: Error>(
    _ body: ([Element]) throws(Failure) -> Void
  ) throws(Failure) {
    try root.forEachLeaf(body)
  }

  /// All, in one array.
  @inlinable
  public var elements: [Element] { root.chunks.isEmpty ? root.elements : Array(self) }

  /// Changes an element in place.
  @inlinable
  public mutating func modify<Failure: Error>(
    at index: Int, _ change: (inout Element) throws(Failure) -> Void
  ) throws(Failure) {
    try root.modify(at: index, change)
  }

  /// Puts an element before the one at an index, or behind the last.
  @inlinable
  public mutating func insert(_ element: Element, at index: Int) {
    root.insert(element, at: index)
    if let tail = root.overflow() { root = ArrayChunk(chunks: [root, tail]) }
  }

  /// Takes an element out.
  @inlinable
  public mutating func remove(at index: Int) {
    root.remove(at: index)
    if root.chunks.count == 1 { root = root.chunks[0] }
  }

  /// The index of the first element.
  @inlinable
  public var startIndex: Int { 0 }

  /// The index behind the last element.
  @inlinable
  public var endIndex: Int { root.count }

  /// The element at an index.
  @inlinable
  public subscript(index: Int) -> Element {
    let (leaf, start) = root.leaf(at: index)
    return leaf[index - start]
  }

  /// The index from which on all elements satisfy a condition, as none does before; a binary
  /// search, which looks at elements where they are and copies none.
  @inlinable
  public func firstIndex(from belongsToSecond: (UnsafePointer<Element>) -> Bool) -> Int {
    // What is put behind all others needs no search.
    root.isLast(belongsToSecond) ? root.firstIndex(from: belongsToSecond) : root.count
  }

  /// The first element that satisfies a condition, which all behind it satisfy; nil for none. A
  /// binary search, which goes down to the element once.
  @inlinable
  public func first(from belongsToSecond: (UnsafePointer<Element>) -> Bool) -> Element? {
    root.first(from: belongsToSecond)
  }

  /// An iterator at the first element.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(root) }

  /// Goes from chunk to chunk.
  public struct Iterator: IteratorProtocol {
    @usableFromInline
    let root: ArrayChunk<Element>
    /// The chunk that the next element is in, or has just been left.
    @usableFromInline
    var leaf: [Element]
    @usableFromInline
    var offset = 0
    /// How many elements were in the chunks before.
    @usableFromInline
    var start = 0

    @inlinable
    init(_ root: ArrayChunk<Element>) {
      self.root = root
      self.leaf = root.count == 0 ? [] : root.leaf(at: 0).elements
    }

    /// The next element, or nil.
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
  /// Whether both have the same elements; what they share is not looked at.
  @inlinable
  public static func == (left: ChunkedArray, right: ChunkedArray) -> Bool {
    left.root.hasSameElements(as: right.root)
  }
}

extension ChunkedArray: Hashable where Element: Hashable {
  /// Hashes what `==` compares.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(root.count)
    for element in self { hasher.combine(element) }
  }
}
