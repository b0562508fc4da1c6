/// Puts moves and copies into an order in which they can have happened.
///
/// Of `a → b` and `b → c` the second was first, as when logs are rotated; what left a directory
/// did so before the directory went. In a circle, as a swap is, any order is as good.
struct PlacingOrder {
  /// The moves and copies.
  private let placings: [ItemChange]
  /// Which of them start at a path.
  private var bySource: [ContainerPath: [Int]] = [:]
  /// Which of them start below the start of a move.
  private var byMovedDirectory: [ContainerPath: [Int]] = [:]
  /// Those that were put into the order.
  private var isDone: Set<Int> = []
  /// The order.
  private var order: [ItemChange] = []

  /// The same moves and copies in such an order.
  static func ordered(_ placings: [ItemChange]) -> [ItemChange] {
    guard placings.count > 1 else { return placings }
    var order = PlacingOrder(placings)
    for number in placings.indices { order.add(number) }
    return order.order
  }

  /// Prepares to order.
  private init(_ placings: [ItemChange]) {
    self.placings = placings
    for (number, placing) in placings.enumerated() {
      if let source = placing.source { bySource[source, default: []].append(number) }
    }
    let moved = Set(placings.filter(\.isMove).compactMap(\.source))
    for (number, placing) in placings.enumerated() {
      for directory in placing.source?.ancestors ?? [] where moved.contains(directory) {
        byMovedDirectory[directory, default: []].append(number)
      }
    }
  }

  /// Adds one, after those that have to be earlier.
  private mutating func add(_ number: Int) {
    guard isDone.insert(number).inserted else { return }
    let placing = placings[number]
    for earlier in bySource[placing.path] ?? [] { add(earlier) }
    if placing.isMove, let source = placing.source {
      for earlier in byMovedDirectory[source] ?? [] { add(earlier) }
      for earlier in bySource[source] ?? [] { add(earlier) }
    }
    order.append(placing)
  }
}

extension ItemChange {
  /// Where a moved or copied item was before.
  fileprivate var source: ContainerPath? {
    switch self {
    case .moved(let source, _), .copied(let source, _): source
    default: nil
    }
  }

  /// Whether it is a move.
  fileprivate var isMove: Bool {
    if case .moved = self { true } else { false }
  }
}
