import BackupFileTree
import Foundation

extension FakeContainer {
  /// Stamps every item that has no stamp, or shares another's because it is a copy.
  func stampItems() throws(SystemError) {
    let root = DiskPath(url)
    var known: [UInt64: UInt64] = [:]
    try Scanner.scan(root).walk { path, item throws(SystemError) in
      guard item.canBeStamped else { return true }
      let inode = item.observation.inode
      if item.identity == 0 || known[item.identity, default: inode] != inode {
        let stamp = IdentityStamp.make()
        known[stamp] = inode
        try DiskPath(path, in: root).whileWritable { disk throws(SystemError) in
          try IdentityStamp.write(stamp, at: disk.characters)
        }
      } else {
        known[item.identity] = inode
      }
      return true
    }
  }
}
