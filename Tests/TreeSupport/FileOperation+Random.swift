package import BackupFileTree
package import TestSupport

extension FileOperation {
  /// A random operation. The few possible paths often make operations affect the same item.
  package static func random(
    isUTF8: Bool = false, using random: inout SeededGenerator
  ) -> FileOperation {
    let path = ContainerPath.random(isUTF8: isUTF8, using: &random)
    let other = ContainerPath.random(isUTF8: isUTF8, using: &random)
    let contents = Contents.random(using: &random)
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1: return .createDirectory(path, intermediates: Bool.random(using: &random))
    case 2: return .write(path, contents, method: .atomically)
    case 3: return .write(path, contents, method: .inPlace)
    case 4: return .write(path, contents, method: .deleteFirst)
    case 5: return .append(path, contents)
    case 6, 7: return .move(path, to: other, replacing: Bool.random(using: &random))
    case 8: return .copy(path, to: other)
    case 9: return .remove(path)
    case 10: return .link(path, destination: other)
    default:
      let mark: ExclusionMark = Bool.random(using: &random) ? .resourceValue : .extendedAttribute
      return .setMark(mark, on: path, to: Int.random(in: 0..<3, using: &random) > 0)
    }
  }
}

extension FileOperation.Contents {
  /// Random contents: zeros, a database, no bytes, or a short text.
  package static func random(using random: inout SeededGenerator) -> FileOperation.Contents {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: .zeros(Int64.random(in: 0..<100_000, using: &random))
    case 1: .bytes(FileOperation.Contents.databaseHeader + [1, 2, 3])
    case 2: .bytes([])
    default: .text(String(repeating: "x", count: Int.random(in: 0..<40, using: &random)))
    }
  }
}

extension ContainerPath {
  /// A random path of one to four components.
  ///
  /// Some names are unusual, for example a line feed. Unless `isUTF8` is true, one name is not
  /// UTF-8.
  package static func random(
    isUTF8: Bool, using random: inout SeededGenerator
  ) -> ContainerPath {
    let topDirectories = ["Documents", "Library", "tmp", "x"].map { Array($0.utf8) }
    let names =
      ["a", "b.sqlite", "b.sqlite-wal", "Caches", "é"].map { Array($0.utf8) }
      + [isUTF8 ? Array("ü".utf8) : [0xFF, 0xFE], [0x0A]]
    var components = [topDirectories[Int.random(in: 0..<topDirectories.count, using: &random)]]
    for _ in 0..<Int.random(in: 0..<4, using: &random) {
      components.append(names[Int.random(in: 0..<names.count, using: &random)])
    }
    return ContainerPath(unchecked: Array(components.joined(separator: [ContainerPath.separator])))
  }
}
