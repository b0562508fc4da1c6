import TestSupport
import Testing

@testable import BackupCollections

/// The array whose copies share what they have in common.
@Suite struct ChunkedArrayTests {
  @Test(arguments: [0, 1, 63, 64, 65, 1000])
  func `it holds what a plain array holds, whatever is done to it`(count: Int) {
    var generator = SeededGenerator(seed: UInt64(count))
    var plain = Array(0..<count).map { $0 * 2 }
    var array = ChunkedArray(plain)
    for _ in 0..<2000 {
      let number = Int.random(in: -1...(2 * max(count, 100)), using: &generator)
      let index = plain.partitioningIndex { $0 >= number }
      #expect(array.firstIndex(from: { $0.pointee >= number }) == index)
      if index < plain.count, array[index] == number {
        array.remove(at: index)
        plain.remove(at: index)
      } else {
        array.insert(number, at: index)
        plain.insert(number, at: index)
      }
    }
    #expect(array.elements == plain)
    #expect(array.indices.map { array[$0] } == plain)
    var chunks: [[Int]] = []
    array.forEachChunk { chunks.append($0) }
    #expect(Array(chunks.joined()) == plain)
    #expect(array.count == plain.count)
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
    let (one, other) = (Set(first.root.places), Set(second.root.places))
    #expect(one.count > 300)
    #expect(one.subtracting(other).count == 1)
  }

  @Test func `equal elements are equal however they came there`() {
    var grown = ChunkedArray<Int>()
    for number in (0..<1000).reversed() { grown.insert(number, at: 0) }
    let made = ChunkedArray(Array(0..<1000))
    #expect(grown.root.chunks.count != made.root.chunks.count)
    #expect(grown == made)
    #expect(grown.hashValue == made.hashValue)
    grown.remove(at: 7)
    #expect(grown != made)
  }

  @Test func `each element is compared once, and none of what is shared`() {
    let counter = Counter()
    func made() -> ChunkedArray<Compared> {
      var array = ChunkedArray((0..<1000).map { Compared(number: $0, counter: counter) })
      array.modify(at: 500) { $0 = Compared(number: 500, counter: counter) }
      return array
    }
    var (one, other) = (made(), made())
    #expect(one == other)
    #expect(counter.count == 1000)
    other.remove(at: 0)
    other.insert(one[0], at: 0)
    #expect(one == other)
    #expect(counter.count == 2000)
    let copy = one
    one.modify(at: 700) { $0 = Compared(number: -1, counter: counter) }
    #expect(one != copy && !one.isIdentical(to: copy))
    #expect(counter.count <= 2016)
    #expect(copy.isIdentical(to: copy) && ChunkedArray<Int>().isIdentical(to: ChunkedArray()))
  }

  @Test(arguments: [(0, 3), (1, 1), (40, 5), (1000, 1), (1000, 30), (5000, 300), (300, 3000)])
  func `what two versions do not share holds all their differences`(count: Int, changes: Int) {
    var generator = SeededGenerator(seed: UInt64(count + changes))
    var former = ChunkedArray<Int>()
    for number in 0..<count { former.insert(number * 10, at: number) }
    var now = former
    for _ in 0..<changes {
      let number = Int.random(in: 0...(count * 10), using: &generator)
      let index = now.firstIndex(from: { $0.pointee >= number })
      if index < now.count, Bool.random(using: &generator) {
        now.remove(at: index)
      } else {
        now.insert(number, at: index)
      }
    }
    let (here, there) = now.elementsNotShared(with: former)
    #expect(here == here.sorted())
    #expect(there == there.sorted())
    #expect(
      here.difference(from: there).sorted == now.elements.difference(from: former.elements).sorted)
    #expect(now.elementsNotShared(with: now).here.isEmpty)
  }

  @Test func `a change in one of two versions leaves few elements that they do not share`() {
    var former = ChunkedArray<Int>()
    for number in 0..<10_000 { former.insert(number, at: number) }
    var now = former
    now.insert(-1, at: 3000)
    now.remove(at: 7000)
    let (here, there) = now.elementsNotShared(with: former)
    #expect(here.count < 100)
    #expect(there.count < 100)
  }

  @Test func `what is made at once is one chunk until it changes`() {
    var array = ChunkedArray(Array(0..<10_000))
    #expect(array.root.places.count == 1)
    array.modify(at: 7_000) { $0 = -1 }
    #expect(array.root.isSound)
    #expect(array[7_000] == -1 && array[6_999] == 6_999 && array[7_001] == 7_001)
    #expect(array.map(\.self).count == 10_000)
  }
}

extension ArrayChunk {
  /// Whether no part is empty or too large, and each counts what is in it.
  fileprivate var isSound: Bool {
    guard !chunks.isEmpty else { return count == elements.count && count <= Self.maximumWidth }
    return elements.isEmpty && chunks.count <= Self.maximumWidth
      && count == chunks.reduce(0) { $0 + $1.count }
      && chunks.allSatisfy { $0.count > 0 && $0.isSound }
  }

  /// Where in memory the elements are, part by part.
  fileprivate var places: [UnsafePointer<Element>?] {
    chunks.isEmpty
      ? [elements.withUnsafeBufferPointer { $0.baseAddress }] : chunks.flatMap(\.places)
  }
}

/// The map in the order of its keys.
@Suite struct SortedMapTests {
  @Test func `it holds what a dictionary holds, in order`() {
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

/// How often numbers were compared.
private final class Counter {
  var count = 0
}

/// A number whose comparisons are counted.
private struct Compared: Equatable {
  let number: Int
  let counter: Counter

  static func == (left: Compared, right: Compared) -> Bool {
    left.counter.count += 1
    return left.number == right.number
  }
}

extension CollectionDifference<Int> {
  /// The elements that were inserted, and those that were removed, each in order.
  fileprivate var sorted: [[Int]] {
    [insertions, removals].map { changes in
      changes.map { change in
        switch change {
        case .insert(_, let element, _), .remove(_, let element, _): element
        }
      }.sorted()
    }
  }
}
