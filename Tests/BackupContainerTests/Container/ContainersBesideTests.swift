import BackupDiagnostics
import Foundation
import TestSupport
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// Containers of groups and extensions on disk, beside the app's container.
@Suite struct ContainersBesideTests {
  /// Makes an app's container, with the containers of a group and an extension beside it.
  private func makeContainer() throws -> FakeContainer {
    try FakeContainer(groups: ["group.x"], extensions: ["com.example.app.w"])
  }

  @Test func `containers of groups and extensions have their own directories and layouts`() throws {
    let container = try makeContainer()
    let group = try #require(container.url(ofGroup: "group.x"))
    let widget = try #require(container.url(ofExtension: "com.example.app.w"))
    #expect(Set([container.url, group, widget].map { $0.deletingLastPathComponent() }).count == 1)
    #expect(UUID(uuidString: group.lastPathComponent) != nil)
    let names = try FileManager.default.contentsOfDirectory(atPath: container.url.path)
    #expect(names.sorted() == ["Documents", "Library", "tmp"])
    let layout = FileTree.Layout.newlyInstalled
      .addingContainers(groups: ["group.x"], extensions: ["com.example.app.w"])
    #expect(try container.scan() == layout.tree)
    #expect(
      container.url(ofGroup: "group.y") == nil && container.url(ofExtension: "group.x") == nil)
  }

  @Test func `a file in a group's container is found by its current and its former path`() throws {
    let container = try makeContainer()
    let group = try #require(container.url(ofGroup: "group.x"))
    let file = group.appendingPathComponent("a").path
    #expect(container.containerPath(of: file) == "group.x:/a")
    #expect(container.url(of: "group.x:/a").path == file)
    try container.moveToNewURL()
    #expect(container.containerPath(of: file) == nil)
    #expect(container.formerContainerPath(of: file) == "group.x:/a")
    #expect(container.formerURLs.count == 3 && container.url(ofGroup: "group.x") != group)
  }

  @Test func `a group's container is removed with the app's`() throws {
    let container = try makeContainer()
    let group = try #require(container.url(ofGroup: "group.x"))
    try container.remove()
    #expect(!FileManager.default.fileExists(atPath: group.path))
  }

  @Test func `a group's container can be marked, and refuses all other operations`() throws {
    let container = try makeContainer()
    let group: ContainerPath = "group.x:"
    var tree = try container.scan()
    let mark = FileOperation.setMark(.resourceValue, on: group, to: true)
    try container.apply(mark)
    try tree.apply(mark)
    #expect(try container.scan() == tree && tree[group]?.marks == .resourceValue)
    for operation: FileOperation in [
      .remove(group), .copy(group, to: "Documents/a"),
      .move(group, to: "Documents/a", replacing: false),
      .createDirectory(group, intermediates: true),
      .write("group.y:/a", .zeros(1), method: .inPlace), .link("group.y:", destination: group),
    ] {
      let error = try #require(throws: FileOperation.Failure.self) {
        try container.apply(operation)
      }
      #expect(throws: error) { try tree.apply(operation) }
    }
    #expect(try container.scan() == tree)
  }

  @Test func `an item in the app's container with the name of a group's container is an error`()
    throws
  {
    let container = try makeContainer()
    let itemNamedLikeGroup = container.url.appendingPathComponent("group.x:")
    try FileManager.default.createDirectory(
      at: itemNamedLikeGroup, withIntermediateDirectories: false)
    let error = #expect(throws: RunError.self) { try container.scan() }
    #expect(error?.description.contains("(an identifier and a colon)") == true)
  }

  @Test(arguments: [
    (["x"], [String]()), (["group.a", "group.a"], []), ([], ["group.x"]), ([], ["a"]),
    (["group./"], []),
  ])
  func `an invalid or repeated identifier is refused`(groups: [String], extensions: [String]) {
    let error = #expect(throws: RunError.self) {
      try FakeContainer(groups: groups, extensions: extensions)
    }
    #expect(error?.code == .invalidApp)
  }

  @Test func `operations copy and move items between containers, on the tree and on disk`() throws {
    let container = try makeContainer()
    var twin = try Twin(container)
    try twin.prepare(
      .save("Documents/a"), .mark("Documents/a"), .copy("Documents/a", to: "group.x:/a"),
      .copy("group.x:/a", to: "group.x:/b"), .makeDirectory("group.x:/d"),
      .move("group.x:/a", to: "com.example.app.w:/Documents/a", replacing: false),
      .link("group.x:/l", destination: "group.x:/d"))
    #expect(twin.tree["com.example.app.w:/Documents/a"]?.marks == .resourceValue)
    #expect(try twin.perform(.save("group.none:/a")) != nil)
    #expect(try twin.perform(.remove("group.x:")) != nil)
    let tree = twin.tree
    let archive = try ContainerArchive(
      of: tree.paths.filter { tree[$0]?.size != nil }, in: container)
    try container.replaceWithEmptyContainer()
    try container.materialise(tree, from: FileTree(), contents: archive)
    #expect(try container.scan(.allHeaders) == tree)
  }

  @Test func `changes in a group's container are seen while its marks are removed`() throws {
    let container = try makeContainer()
    let group = try #require(container.url(ofGroup: "group.x"))
    try container.apply(.write("group.x:/b", .zeros(1), method: .inPlace))
    try container.apply(.setMark(.resourceValue, on: "group.x:/b", to: true))
    let watch = try container.beginWatching(probing: true)
    try Data("a".utf8).write(to: group.appendingPathComponent("a"))
    let trace = try container.endWatching(watch)
    #expect(trace.changes == [.created("group.x:/a")])
    #expect(trace.tree["group.x:/b"]?.marks == .resourceValue)
    #expect(try container.scan() == trace.tree)
  }
}
