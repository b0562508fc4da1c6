/// A large value in a box, which copies share until one of them changes the value.
///
/// A struct with many fields costs machine code and time wherever it is copied. A box costs one
/// reference.
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

  /// The value. A change first copies it if another copy shares the box.
  @inlinable
  public var wrappedValue: Value {
    get { box.value }
    _modify {
      if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
      yield &box.value
    }
  }
}

// A shared box is never changed.
extension Boxed: @unchecked Sendable where Value: Sendable {}

extension Boxed: Equatable where Value: Equatable {
  /// Returns whether the values are equal; values in one box are not compared.
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
