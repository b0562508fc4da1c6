import BackupFileTree
import Foundation

enum ItemRemoval {
  /// Removes a directory that holds what is known; what is something else, or holds more, stays.
  static func removeKnown(
    _ children: FileTree.Children, of name: UnsafePointer<CChar>, in directory: Int32
  ) {
    if !children.isEmpty {
      let opened = openat(directory, name, DirectoryNames.openOptions)
      guard opened >= 0 else { return }
      defer { close(opened) }
      for entry in children.entries {
        let name = entry.name.bytes.map(CChar.init(truncatingIfNeeded:)) + [0]
        if entry.item.isDirectory {
          removeKnown(entry.item.children, of: name, in: opened)
        } else {
          unlinkat(opened, name, 0)
        }
      }
    }
    unlinkat(directory, name, AT_REMOVEDIR)
  }
}
