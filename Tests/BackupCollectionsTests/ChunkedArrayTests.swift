import TestSupport
import Testing

@testable import BackupCollections

/// Copies of a `ChunkedArray` share the chunks that have not changed.
@Suite struct ChunkedArrayTests {
  @Test(arguments: [0, 1, 63, 64, 65, 1000])
  func `it holds the same as a plain array after random insertions and removals`(count: Int) {
    var generator = SeededGenerator(seed: UInt64(count))
    var plainArray = Array(0..<count).map { $0 * 2 }
    var array = ChunkedArray(plainArray)
    for _ in 0..<2000 {
      let number = Int.random(in: -1...(2 * max(count, 100)), using: &generator)
      let index = plainArray.partitioningIndex { $0 >= number }
      #expect(array.firstIndex(from: { $0.pointee >= number }) == index)
      if index < plainArray.count, array[index] == number {
        array.remove(at: index)
        plainArray.remove(at: index)
      } else {
        array.insert(number, at: index)
        plainArray.insert(number, at: index)
      }
    }
    #expect(array.elements == plainArray)
    #expect(array.indices.map { array[$0] } == plainArray)
    var chunks: [[Int]] = []
    array.forEachChunk { chunks.append($0) }
    #expect(Array(chunks.joined()) == plainArray)
    #expect(array.count == plainArray.count)
    #expect(array.root.isSound)
  }

  @Test func `a change of a copy leaves the other as it was`() {
    let first = ChunkedArray(Array(0..<1000))
    var second = first
    second.modify(at: 500) { $0 = 501 }
    second.remove(at: 0)
    #expect(first.elements == Array(0..<1000))
    #expect(second.count == 999)
    #expect(second.elements == Array(1..<500) + [501] + Array(501..<1000))
  }

  @Test func `a change of a copy costs one chunk, and the others are shared`() {
    var first = ChunkedArray<Int>()
    for number in 0..<10_000 { first.insert(number, at: number) }
    var second = first
    second.modify(at: 5000) { $0 = -1 }
    let (one, other) = (Set(first.root.elementAddresses), Set(second.root.elementAddresses))
    #expect(one.count > 300)
    #expect(one.subtracting(other).count == 1)
  }

  @Test func `arrays with equal elements are equal, whether they grew or were made at once`() {
    var grownArray = ChunkedArray<Int>()
    for number in (0..<1000).reversed() { grownArray.insert(number, at: 0) }
    let arrayMadeAtOnce = ChunkedArray(Array(0..<1000))
    #expect(grownArray.root.chunks.count != arrayMadeAtOnce.root.chunks.count)
    #expect(grownArray == arrayMadeAtOnce)
    #expect(grownArray.hashValue == arrayMadeAtOnce.hashValue)
    grownArray.remove(at: 7)
    #expect(grownArray != arrayMadeAtOnce)
  }

  @Test func `each element is compared once, and shared elements are not compared`() {
    let counter = ComparisonCounter()
    func makeArray() -> ChunkedArray<CountingNumber> {
      var array = ChunkedArray((0..<1000).map { CountingNumber(number: $0, counter: counter) })
      array.modify(at: 500) { $0 = CountingNumber(number: 500, counter: counter) }
      return array
    }
    var (one, other) = (makeArray(), makeArray())
    #expect(one == other)
    #expect(counter.count == 1000)
    other.remove(at: 0)
    other.insert(one[0], at: 0)
    #expect(one == other)
    #expect(counter.count == 2000)
    let copy = one
    one.modify(at: 700) { $0 = CountingNumber(number: -1, counter: counter) }
    #expect(one != copy && !one.isIdentical(to: copy))
    #expect(counter.count <= 2016)
    #expect(copy.isIdentical(to: copy) && ChunkedArray<Int>().isIdentical(to: ChunkedArray()))
  }

  @Test(arguments: [(0, 3), (1, 1), (40, 5), (1000, 1), (1000, 30), (5000, 300), (300, 3000)])
  func `the elements that two versions do not share include all their differences`(
    count: Int, changes: Int
  ) {
    var generator = SeededGenerator(seed: UInt64(count + changes))
    var oldVersion = ChunkedArray<Int>()
    for number in 0..<count { oldVersion.insert(number * 10, at: number) }
    var newVersion = oldVersion
    for _ in 0..<changes {
      let number = Int.random(in: 0...(count * 10), using: &generator)
      let index = newVersion.firstIndex(from: { $0.pointee >= number })
      if index < newVersion.count, Bool.random(using: &generator) {
        newVersion.remove(at: index)
      } else {
        newVersion.insert(number, at: index)
      }
    }
    let (newElements, oldElements) = newVersion.elementsNotShared(with: oldVersion)
    #expect(newElements == newElements.sorted())
    #expect(oldElements == oldElements.sorted())
    #expect(
      newElements.difference(from: oldElements).sortedChanges
        == newVersion.elements.difference(from: oldVersion.elements).sortedChanges)
    #expect(newVersion.elementsNotShared(with: newVersion).here.isEmpty)
  }

  @Test func `a change in one of two versions leaves few elements that they do not share`() {
    var oldVersion = ChunkedArray<Int>()
    for number in 0..<10_000 { oldVersion.insert(number, at: number) }
    var newVersion = oldVersion
    newVersion.insert(-1, at: 3000)
    newVersion.remove(at: 7000)
    let (newElements, oldElements) = newVersion.elementsNotShared(with: oldVersion)
    #expect(newElements.count < 100)
    #expect(oldElements.count < 100)
  }

  @Test func `an array made at once is one chunk until it changes`() {
    var array = ChunkedArray(Array(0..<10_000))
    #expect(array.root.elementAddresses.count == 1)
    array.modify(at: 7_000) { $0 = -1 }
    #expect(array.root.isSound)
    #expect(array[7_000] == -1 && array[6_999] == 6_999 && array[7_001] == 7_001)
    #expect(array.map(\.self).count == 10_000)
  }
}

extension ArrayChunk {
  /// Whether no chunk is empty or too large, and each `count` is correct.
  fileprivate var isSound: Bool {
    guard !chunks.isEmpty else { return count == elements.count && count <= Self.maximumWidth }
    return elements.isEmpty && chunks.count <= Self.maximumWidth
      && count == chunks.reduce(0) { $0 + $1.count }
      && chunks.allSatisfy { $0.count > 0 && $0.isSound }
  }

  /// The address of the elements of each chunk in memory.
  fileprivate var elementAddresses: [UnsafePointer<Element>?] {
    chunks.isEmpty
      ? [elements.withUnsafeBufferPointer { $0.baseAddress }] : chunks.flatMap(\.elementAddresses)
  }
}

@Suite struct SortedMapTests {
  @Test func `it holds the same as a dictionary, in the order of the keys`() {
    var generator = SeededGenerator(seed: 1)
    var map = SortedMap<Int, Int>()
    var dictionary: [Int: Int] = [:]
    for _ in 0..<5000 {
      let key = Int.random(in: 0..<700, using: &generator)
      let value = Bool.random(using: &generator) ? Int.random(in: 0..<9, using: &generator) : nil
      map[key] = value
      dictionary[key] = value
      #expect(map[key] == value)
    }
    let sorted = dictionary.sorted { $0.key < $1.key }
    #expect(map.elements.map(\.key) == sorted.map(\.key))
    #expect(map.elements.map(\.value) == sorted.map(\.value))
    #expect(!map.isEmpty)
    #expect(SortedMap<Int, Int>().isEmpty)
  }
}

private final class ComparisonCounter {
  var count = 0
}

/// A number that counts its comparisons.
private struct CountingNumber: Equatable {
  let number: Int
  let counter: ComparisonCounter

  static func == (left: CountingNumber, right: CountingNumber) -> Bool {
    left.counter.count += 1
    return left.number == right.number
  }
}

extension CollectionDifference<Int> {
  /// The inserted elements and the removed elements, each in order.
  fileprivate var sortedChanges: [[Int]] {
    [insertions, removals].map { changes in
      changes.map { change in
        switch change {
        case .insert(_, let element, _), .remove(_, let element, _): element
        }
      }.sorted()
    }
  }
}
