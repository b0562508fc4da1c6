extension FileTree {
  /// Whether any item has a mark.
  package var hasMarks: Bool {
    var hasMarks = false
    visit { item in
      hasMarks = hasMarks || !item.marks.isEmpty
      return false
    } _: { _, _ in
    }
    return hasMarks
  }
}
