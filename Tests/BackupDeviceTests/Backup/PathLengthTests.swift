import BackupDevice
import BackupFileTree
import Testing

/// Absolute paths of 998 bytes or more are skipped.
@Suite struct PathLengthTests {
  /// The path of an app's container on a device. All UUIDs have the same length.
  static let container =
    "/private/var/mobile/Containers/Data/Application/00000000-0000-0000-0000-000000000000/"
  /// The path of a group's container on a device.
  static let group =
    "/private/var/mobile/Containers/Shared/AppGroup/00000000-0000-0000-0000-000000000000/"

  @Test func `a path of 997 bytes is in`() throws {
    let file = try ContainerPath.inDocuments(bytes: 997 - Self.container.utf8.count)
    #expect(try FileTree.app.with(file).backedUp().contains(file))
  }

  @Test func `a path of 998 bytes is left out, and the reason has the length`() throws {
    let file = try ContainerPath.inDocuments(bytes: 998 - Self.container.utf8.count)
    let set = try FileTree.app.with(file).backedUp()
    #expect(set.decision(on: file)?.reason == .pathTooLong(bytes: 998))
    #expect(set.decision(on: try #require(file.parent))?.isIncluded == true)
  }

  @Test func `a group container's own path is a byte shorter`() throws {
    #expect(Self.group.utf8.count == Self.container.utf8.count - 1)
    let longest = try ContainerPath.inDocuments(bytes: 997 - Self.group.utf8.count)
    let tooLong = try ContainerPath.inDocuments(bytes: 998 - Self.group.utf8.count)
    let set = try FileTree.app.with(longest).with(tooLong).backedUp(container: .appGroup)
    #expect(set.contains(longest))
    #expect(set.decision(on: tooLong)?.reason == .pathTooLong(bytes: 998))
  }

  @Test(arguments: [FileTree.Kind.emptyDirectory, .link, .database])
  func `directories and links are skipped in the same way`(kind: FileTree.Kind) throws {
    let item = try ContainerPath.inDocuments(bytes: 998 - Self.container.utf8.count)
    let set = try FileTree.app.with(item, kind).backedUp()
    #expect(set.decision(on: item)?.reason == .pathTooLong(bytes: 998))
  }

  @Test func `each item inside a skipped directory has its own length`() throws {
    let directory = try ContainerPath.inDocuments(bytes: 998 - Self.container.utf8.count)
    let inside = try ContainerPath(directory.description + "/a/b")
    let set = try FileTree.app.with(inside).backedUp()
    #expect(set.decision(on: directory)?.reason == .pathTooLong(bytes: 998))
    #expect(set.decision(on: inside)?.reason == .pathTooLong(bytes: 1002))
    #expect(set.leftOutTops.map(\.path).filter { $0.covers(inside) } == [directory])
  }

  @Test func `the length is in bytes, not characters`() throws {
    let count = 998 - Self.container.utf8.count
    let name = String(repeating: "é", count: 100)
    let parent = try ContainerPath.inDocuments(bytes: count - 1 - name.utf8.count)
    let file = try ContainerPath(parent.description + "/" + name)
    let set = try FileTree.app.with(file).backedUp()
    #expect(set.decision(on: file)?.reason == .pathTooLong(bytes: 998))
  }
}
