package import BackupFileTree
package import Foundation

extension FileTree {
  /// Reads a container that is none of the kit's, such as a simulator's or one that came from a
  /// phone.
  ///
  /// - Parameters:
  ///   - url: The container's directory.
  ///   - beside: The directories of the containers beside it, by their names in a tree.
  /// - Throws: ``FakeContainerError`` where one cannot be read; an item that cannot be read is in the
  ///   tree and says why.
  package init(
    onDisk url: URL, beside: [ContainerPath.Component: URL] = [:]
  ) throws(FakeContainerError) {
    do throws(SystemError) {
      self = try Scanner.scan(
        ContainerRoots(
          DiskPath(url.resolvingSymlinksInPath()),
          beside: beside.mapValues { DiskPath($0.resolvingSymlinksInPath()) }))
    } catch {
      let reason =
        error == Scanner.strangeName
        ? "an item at its top has a name that ends in a colon, which stands for another container"
        : "cannot be read: \(error)"
      throw FakeContainerError(path: url.path, reason: reason)
    }
  }
}
