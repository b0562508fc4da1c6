package import BackupFileTree
import CBackupFiles
import Foundation

extension FakeContainer {
  /// The largest file that is read to tell its contents from others, in bytes; a larger one is
  /// known by as many in its begin and its end.
  private static let mostSummed = 16_000_000

  /// A look at the container with what tells each file's contents from others, and its words;
  /// `known` says them of files that have not changed since.
  package func summed(_ tree: FileTree, known: FileTree) -> FileTree {
    let roots = self.roots
    var summed = tree
    tree.walk { path, item in
      guard case .file(var information) = item.kind, !information.contents.isKnown else {
        return true
      }
      if let former = known.unchanged(item, at: path) {
        (information.contents, information.words) = (former.contents, former.words)
      } else {
        DiskPath(path, in: roots).sum(
          &information, upTo: Self.mostSummed, grownFrom: known.file(at: path))
      }
      summed.modify(path) { $0.kind = .file(information) }
      return true
    }
    return summed
  }
}

extension FileTree {
  /// What is known of a file that another look at the disk has found as it was: of the same size,
  /// and last written to at the same moment, which a kept container's copies have too.
  fileprivate func unchanged(_ found: Item, at path: ContainerPath) -> FileInformation? {
    guard let item = self[path], item.size == found.size,
      case .file(let information) = item.kind, information.contents.isKnown,
      found.observation.modified != 0,
      item.observation.modified == found.observation.modified
    else { return nil }
    return information
  }
}

extension DiskPath {
  /// Notes what tells this file's contents from others, their words, and whether they begin with
  /// what a former look found; nothing if the file cannot be read.
  fileprivate func sum(
    _ information: inout FileTree.FileInformation, upTo most: Int,
    grownFrom former: FileTree.FileInformation?
  ) {
    let contents = try? withFile(O_RDONLY | O_NONBLOCK) {
      file throws(SystemError) -> FileOperation.Contents in
      var status = stat()
      guard fstat(file, &status) == 0 else { throw SystemError() }
      // What takes nothing of the disk holds nothing but zeros.
      if status.st_blocks == 0, status.st_size > most { return .zeros(Int64(status.st_size)) }
      let size = Int(status.st_size)
      guard size > most else { return .bytes(try file.bytes(at: 0, count: size)) }
      return .bytes(
        try file.bytes(at: 0, count: most / 2)
          + file.bytes(at: Int64(size - most / 2), count: most / 2))
    }
    guard let contents else { return }
    (information.contents, information.words) = (ContentsSum(contents), contents.words)
    guard case .bytes(let bytes) = contents, let former, former.contents.isKnown,
      former.size <= bytes.count
    else { return }
    let start = FileOperation.Contents.bytes(Array(bytes.prefix(Int(former.size))))
    information.isGrown = ContentsSum(start) == former.contents
  }
}
