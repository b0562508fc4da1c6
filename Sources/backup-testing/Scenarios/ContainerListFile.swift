import BackupContainer
import BackupFileTree
import BackupScenarios

/// A file in which a container's items are listed.
enum ContainerListFile {
  /// Reads a list.
  ///
  /// - Parameters:
  ///   - path: A file that anybody may have written.
  ///   - followsLinks: Whether it may be a link, as what a person has named may.
  /// - Returns: The list.
  /// - Throws: ``CommandError`` with the line that is none.
  static func read(
    _ path: String, followingLinks followsLinks: Bool
  ) throws(CommandError) -> ContainerList {
    let bytes: [UInt8]
    do throws(RegularFile.Obstacle) {
      bytes = try RegularFile.bytes(
        at: path, upTo: ContainerList.largest + 1, followingLinks: followsLinks)
    } catch {
      throw CommandError("\(path): the list cannot be read: \(error.reason)")
    }
    return try naming(path) { () throws(ContainerList.Mistake) in try ContainerList(bytes) }
  }

  /// Says of a mistake in which file it is.
  static func naming<Result>(
    _ path: String, _ work: () throws(ContainerList.Mistake) -> Result
  ) throws(CommandError) -> Result {
    do throws(ContainerList.Mistake) {
      return try work()
    } catch {
      throw CommandError([
        Scenario.Diagnostic(file: path, position: error.position, message: error.message)
      ])
    }
  }
}
