import BackupCollections
import Testing

@Suite struct BoxedTests {
  /// A value that is unequal even to itself. If a comparison returns true, it has not called `==`.
  private struct NeverEqual: Equatable {
    static func == (left: NeverEqual, right: NeverEqual) -> Bool { false }
  }

  private struct Owner: Hashable {
    @Boxed var values: [Int]
  }

  @Test func `a change of a copy leaves the original as it is`() {
    let owner = Owner(values: [1])
    var copy = owner
    copy.values.append(2)
    #expect(owner.values == [1])
    #expect(copy.values == [1, 2])
    copy.values.append(3)
    #expect(copy.values == [1, 2, 3])
  }

  @Test func `owners of equal values are equal and have the same hash`() {
    let (one, other) = (Owner(values: [1]), Owner(values: [1]))
    #expect(one == other)
    #expect(one.hashValue == other.hashValue)
    #expect(one != Owner(values: [2]))
  }

  @Test func `a value in one box is not compared with itself`() {
    let box = Boxed(wrappedValue: NeverEqual())
    let copy = box
    #expect(box == copy)
    #expect(box != Boxed(wrappedValue: NeverEqual()))
  }
}
