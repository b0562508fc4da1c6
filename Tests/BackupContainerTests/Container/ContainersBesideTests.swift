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
      .beside(groups: ["group.x"], extensions: ["com.example.app.w"])
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

  @Test(arguments: Thoroughness.seeds(2, of: 12))
  func `200 random operations leave tree and disk equal after each`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let container = try make()
    var twin = try Twin(container)
    for _ in 1...200 {
      let own = FileOperation.random(
        isUTF8: container.traits.contains(.requiresUTF8), using: &random)
      try twin.perform(own.movedIntoContainers(using: &random))
    }
    let tree = twin.tree
    let archive = try ContainerArchive(
      of: tree.paths.filter { tree[$0]?.size != nil }, in: container)
    try container.replaceWithEmptyContainer()
    try container.materialise(tree, from: FileTree(), contents: archive)
    #expect(try container.scan(.allHeaders) == tree)
    try container.remove()
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

extension FileOperation {
  /// The operation with each of its paths in one container or another.
  fileprivate func movedIntoContainers(using random: inout SeededGenerator) -> FileOperation {
    func moved(_ path: ContainerPath) -> ContainerPath {
      let names = [nil, nil, nil, "group.x", "group.x", "com.example.app.w", "group.none"]
      let name = names.randomElement(using: &random) ?? nil
      if Int.random(in: 0..<40, using: &random) == 0 { return "group.x:" }
      return ContainerPath(path, inContainer: name.map(ContainerPath.Component.init(containerOf:)))
    }
    switch self {
    case .createDirectory(let path, let all):
      return .createDirectory(moved(path), intermediates: all)
    case .write(let path, let contents, let method):
      return .write(moved(path), contents, method: method)
    case .append(let path, let contents): return .append(moved(path), contents)
    case .move(let path, let other, let replacing):
      return .move(moved(path), to: moved(other), replacing: replacing)
    case .copy(let path, let other): return .copy(moved(path), to: moved(other))
    case .remove(let path): return .remove(moved(path))
    case .link(let path, let other):
      let path = moved(path)
      return .link(path, destination: ContainerPath(other, inContainer: path.containerName))
    case .setMark(let mark, let path, let isSet): return .setMark(mark, on: moved(path), to: isSet)
    }
  }
}
