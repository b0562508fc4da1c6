/// Puts moves and copies into an order in which they can have happened.
///
/// Of `a → b` and `b → c` the second was first, as when logs are rotated; what left a directory
/// did so before the directory went. In a circle, as a swap is, any order is as good.
struct PlacingOrder {
  private let placings: [FileTree.Change]
  private var bySource: [ContainerPath: [Int]] = [:]
  /// Which of them start below the start of a move.
  private var byMovedDirectory: [ContainerPath: [Int]] = [:]
  /// Those that are in the order, or wait for those that must be earlier.
  private var isBegun: Set<Int> = []
  /// What was placed so far, the earliest first.
  private var order: [FileTree.Change] = []

  /// The same moves and copies in such an order.
  static func ordered(_ placings: [FileTree.Change]) -> [FileTree.Change] {
    guard placings.count > 1 else { return placings }
    var order = PlacingOrder(placings)
    for number in placings.indices { order.add(number) }
    return order.order
  }

  private init(_ placings: [FileTree.Change]) {
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

  /// Adds one, after those that must be earlier. Not recursive, because chains may be long.
  private mutating func add(_ number: Int) {
    var pending = [(number: number, isReady: false)]
    while let next = pending.popLast() {
      if next.isReady {
        order.append(placings[next.number])
      } else if isBegun.insert(next.number).inserted {
        pending.append((next.number, true))
        pending += earlier(than: next.number).reversed().map { ($0, false) }
      }
    }
  }

  private func earlier(than number: Int) -> [Int] {
    let placing = placings[number]
    let fromTarget = bySource[placing.path] ?? []
    guard placing.isMove, let source = placing.source else { return fromTarget }
    return fromTarget + (byMovedDirectory[source] ?? []) + (bySource[source] ?? [])
  }
}

extension FileTree.Change {
  /// Where a moved or copied item was before.
  fileprivate var source: ContainerPath? {
    switch self {
    case .moved(let source, _), .copied(let source, _): source
    default: nil
    }
  }

  fileprivate var isMove: Bool {
    if case .moved = self { true } else { false }
  }
}
