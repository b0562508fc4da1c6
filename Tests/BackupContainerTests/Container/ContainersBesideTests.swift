import BackupDiagnostics
import Foundation
import TestSupport
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// Containers of groups and extensions on disk, beside the app's.
@Suite struct ContainersBesideTests {
  /// A container with a group's and an extension's beside it.
  private func make() throws -> FakeContainer {
    try FakeContainer(groups: ["group.x"], extensions: ["com.example.app.w"])
  }

  @Test func `are directories of their own, laid out by their kind`() throws {
    let container = try make()
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

  @Test func `are found by absolute paths, and by former ones`() throws {
    let container = try make()
    let group = try #require(container.url(ofGroup: "group.x"))
    let file = group.appendingPathComponent("a").path
    #expect(container.containerPath(of: file) == "group.x:/a")
    #expect(container.url(of: "group.x:/a").path == file)
    try container.moveToNewURL()
    #expect(container.containerPath(of: file) == nil)
    #expect(container.formerContainerPath(of: file) == "group.x:/a")
    #expect(container.formerURLs.count == 3 && container.url(ofGroup: "group.x") != group)
  }

  @Test func `are gone with the container`() throws {
    let container = try make()
    let group = try #require(container.url(ofGroup: "group.x"))
    try container.remove()
    #expect(!FileManager.default.fileExists(atPath: group.path))
  }

  @Test func `marks on one are seen, and nothing else is done to one`() throws {
    let container = try make()
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

  @Test func `an item of such a name in the app's own is an error that says so`() throws {
    let container = try make()
    let strange = container.url.appendingPathComponent("group.x:")
    try FileManager.default.createDirectory(at: strange, withIntermediateDirectories: false)
    let error = #expect(throws: RunError.self) { try container.scan() }
    #expect(error?.description.contains("(an identifier and a colon)") == true)
  }

  @Test(arguments: [
    (["x"], [String]()), (["group.a", "group.a"], []), ([], ["group.x"]), ([], ["a"]),
    (["group./"], []),
  ])
  func `an identifier that is none is refused`(groups: [String], extensions: [String]) {
    let error = #expect(throws: RunError.self) {
      try FakeContainer(groups: groups, extensions: extensions)
    }
    #expect(error?.code == .invalidApp)
  }

  @Test func `operations lead from one to another, on the tree and on disk`() throws {
    let container = try make()
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

  @Test func `what code does in them is seen, with marks taken off meanwhile`() throws {
    let container = try make()
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
