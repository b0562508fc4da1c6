import Foundation

extension DiskPath {
  /// Makes a link that points to these bytes.
  func makeLink(to target: [UInt8]) throws(SystemError) {
    let target = target.map(CChar.init(truncatingIfNeeded:)) + [0]
    guard symlink(target, characters) == 0 else { throw SystemError() }
  }

  /// The bytes that this link points to.
  func linkTarget() throws(SystemError) -> [UInt8] {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink(characters, &target, target.count)
    guard count >= 0 else { throw SystemError() }
    return target.prefix(count).map(UInt8.init(truncatingIfNeeded:))
  }
}
