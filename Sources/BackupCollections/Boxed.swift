/// A large value that copies share until one of them changes it.
///
/// Each copy of a struct with many fields takes time and machine code. A copy of a box copies only
/// one reference.
@propertyWrapper
public struct Boxed<Value> {
  @usableFromInline
  final class Box {
    @usableFromInline
    var value: Value

    @inlinable
    init(_ value: Value) { self.value = value }
  }

  @usableFromInline
  var box: Box

  /// Creates a box for a value.
  @inlinable
  public init(wrappedValue: Value) { self.box = Box(wrappedValue) }

  /// The value. If another copy shares the box, a change first copies the value.
  @inlinable
  public var wrappedValue: Value {
    get { box.value }
    _modify {
      if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
      yield &box.value
    }
  }
}

// This is safe, because `wrappedValue` never changes the value in a shared box.
extension Boxed: @unchecked Sendable where Value: Sendable {}

extension Boxed: Equatable where Value: Equatable {
  /// Returns true if the values are equal. Copies that share a box are equal without a comparison.
  @inlinable
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.value == right.box.value
  }
}

extension Boxed: Hashable where Value: Hashable {
  /// Hashes the value.
  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(box.value) }
}
