extension FileTree {
  /// The same items without marks.
  package var withoutMarks: FileTree {
    var tree = self
    walk { path, item in
      if !item.marks.isEmpty { tree.modify(path) { $0.marks = [] } }
      return true
    }
    return tree
  }

  /// When the file that was saved last was saved, in nanoseconds since 1970.
  package var newestModification: Int64 {
    var newest: Int64 = 0
    walk { _, item in
      if item.size != nil { newest = max(newest, item.observation.modified) }
      return true
    }
    return newest
  }
}
