extension Sequence {
  /// The elements that have something in common, group by group, in the order that each first came.
  ///
  /// - Parameter key: What those of a group have in common.
  /// - Returns: The groups, none empty.
  package func grouped<Key: Hashable>(by key: (Element) -> Key) -> [[Element]] {
    var groups: [[Element]] = []
    var indices: [Key: Int] = [:]
    for element in self {
      let key = key(element)
      if let index = indices[key] {
        groups[index].append(element)
      } else {
        indices[key] = groups.count
        groups.append([element])
      }
    }
    return groups
  }
}
