import BackupFileTree
package import Foundation

/// The directory of a container as the app's process finds it, for what the kit does there that no
/// app has asked for.
///
/// No call follows a link in it: what an app has put in a directory's place may lead anywhere.
/// Whatever cannot be done is left undone.
package struct ContainerHome: Sendable {
  private let directory: DiskPath

  /// Holds the folder above open, if the system permits it, so that no call must find it again.
  package init(_ url: URL) {
    let parent = url.deletingLastPathComponent()
    let name = Array(url.lastPathComponent.utf8)
    let held = try? DeviceFolder(at: parent)
    self.directory = held.map { DiskPath(url, in: $0) } ?? DiskPath(parent).appending(name)
  }

  /// Where an item is on disk; nil for what is no path in a container.
  private func disk(_ path: String) -> DiskPath? {
    (try? ContainerPath(path)).map { directory.appending($0.bytes) }
  }

  /// Whether an item is there, a link too.
  package func holds(_ path: String) -> Bool {
    (try? disk(path)?.status()) != nil
  }

  package func makeDirectory(_ path: String) {
    guard !holds(path) else { return }
    if let end = path.lastIndex(of: "/") { makeDirectory(String(path[..<end])) }
    try? disk(path)?.makeDirectory()
  }

  /// Moves an item that is there to where nothing is.
  package func move(_ path: String, to destination: String) -> Bool {
    guard holds(path), !holds(destination), let source = disk(path), let target = disk(destination)
    else { return false }
    if let end = destination.lastIndex(of: "/") { makeDirectory(String(destination[..<end])) }
    return (try? source.rename(to: target)) != nil
  }

  @discardableResult
  package func removeEmptyDirectory(_ path: String) -> Bool {
    (try? disk(path)?.removeEmptyDirectory()) != nil
  }
}
