import BackupFileTree
import TestSupport

extension FileTree {
  /// Returns a tree of random items in known and unknown places, some of them marked.
  static func random(using random: inout SeededGenerator) throws -> FileTree {
    var tree = FileTree.app
    for _ in 0..<Int.random(in: 5...60, using: &random) {
      let path = try ContainerPath.random(using: &random)
      if let parent = path.parent { tree.ensureDirectory(parent) }
      guard tree[path] == nil else { continue }
      tree.insert(
        Item(.random(using: &random), marks: .random(using: &random)), at: path)
    }
    for path in tree.paths where Int.random(in: 0..<12, using: &random) == 0 {
      tree.modify(path) { $0.marks = .resourceValue }
    }
    return tree
  }
}

extension ContainerPath {
  /// Returns a path of one to five components. The names are few, so that paths share directories.
  fileprivate static func random(using random: inout SeededGenerator) throws -> ContainerPath {
    let tops = ["Documents", "Library", "tmp", "SystemData", "Game.app", "GeoJSON", "x"]
    let names = [
      "Caches", "SplashBoard", "a", "a-b", "b.sqlite", "b.sqlite-wal", "b.sqlite-shm", "é",
      ".dat.nosync01", "s.plist.AbCdEf0", "tmp", "\u{202E}", String(repeating: "n", count: 250),
    ]
    var components = [tops.randomElement(using: &random) ?? "x"]
    for _ in 0..<Int.random(in: 0..<5, using: &random) {
      components.append(names.randomElement(using: &random) ?? "x")
    }
    return try ContainerPath(components.joined(separator: "/"))
  }
}

extension FileTree.Kind {
  /// Returns a random kind of item, most often a file.
  fileprivate static func random(using random: inout SeededGenerator) -> FileTree.Kind {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: .special
    case 1: .unreadable(reason: "Permission denied")
    case 2: .link
    case 3, 4: .emptyDirectory
    case 5, 6: .database
    default: .bytes(Int64.random(in: 0..<1_000_000, using: &random))
    }
  }
}

extension ExclusionMark {
  /// Returns random marks, in most cases none.
  fileprivate static func random(using random: inout SeededGenerator) -> ExclusionMark {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: .resourceValue
    case 1: .extendedAttribute
    case 2: [.resourceValue, .extendedAttribute]
    default: []
    }
  }
}
