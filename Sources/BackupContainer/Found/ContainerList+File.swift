package import BackupDiagnostics
package import BackupFileTree

extension ContainerList {
  /// Why a file with a list, which anybody may have written, cannot be used.
  package struct FileError: Error, Sendable, CustomStringConvertible {
    package let path: String
    /// The place of the mistake; nil if the file cannot be read at all.
    package let position: SourcePosition?
    /// What is wrong and what was expected.
    package let message: String

    package var description: String {
      let place = position.map { ":\($0.line):\($0.column)" } ?? ""
      return "\(path)\(place): \(message)"
    }
  }

  /// Reads a list; `followsLinks` for a path that a person has named.
  package init(at path: String, followingLinks followsLinks: Bool) throws(FileError) {
    let bytes: [UInt8]
    do throws(RegularFile.Obstacle) {
      bytes = try RegularFile.bytes(
        at: path, upTo: ContainerList.largest + 1, followingLinks: followsLinks)
    } catch {
      throw FileError(
        path: path, position: nil, message: "the list cannot be read: \(error.reason)")
    }
    do throws(SyntaxError) {
      try self.init(bytes)
    } catch {
      throw FileError(path: path, position: error.position, message: error.message)
    }
  }

  /// The container as the list has it, with the directories above its items; `path` names the list
  /// in messages.
  package func tree(of path: String) throws(FileError) -> FileTree {
    do throws(SyntaxError) {
      return try tree()
    } catch {
      throw FileError(path: path, position: error.position, message: error.message)
    }
  }
}
