extension FileTree {
  /// Whether any item has a mark.
  package var hasMarks: Bool {
    var hasMarks = false
    visit {
      !$0.marks.isEmpty
    } _: { _, _ in
      hasMarks = true
    }
    return hasMarks
  }
}
