import BackupDiagnostics
import Foundation
import TestSupport
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// The life of a container, from its creation to its removal.
@Suite struct FakeContainerTests {
  private func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

  @Test func `it has the layout of a newly installed app's container`() throws {
    let container = try FakeContainer()
    #expect(try container.scan() == FileTree.Layout.newlyInstalled.tree)
    #expect(exists(container.documents) && exists(container.caches) && exists(container.temporary))
    #expect(exists(container.library) && !exists(container.applicationSupport))
  }

  @Test func `its path ends in a fresh UUID`() throws {
    let first = try FakeContainer()
    let second = try FakeContainer()
    #expect(UUID(uuidString: first.url.lastPathComponent) != nil)
    #expect(first.url != second.url)
    #expect(first.url.deletingLastPathComponent() != second.url.deletingLastPathComponent())
  }

  @Test func `remove deletes everything, and may be called twice`() throws {
    let container = try FakeContainer()
    let device = container.url.deletingLastPathComponent()
    try container.apply(.makeDirectory("Documents/d"))
    try container.apply(.save("Documents/d/a"))
    try #require(chmod(container.documents.path, 0o500) == 0)
    try container.remove()
    try container.remove()
    #expect(!exists(device))
    #expect(throws: RunError.self) { try container.scan() }
  }

  @Test(arguments: ["/proc", "/proc/self/mounts", "/nowhere at all"])
  func `the error names a folder in which no container can be created`(folder: String) throws {
    let error = try #require(throws: RunError.self) {
      try FakeContainer(in: URL(fileURLWithPath: folder))
    }
    let resolved = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    #expect(error.description.hasPrefix(resolved))
    #expect(error.description.contains("the container cannot be created"))
  }

  @Test func `the advice for a volume without extended attributes says what to do`() {
    let advice = FakeContainer.advice(for: SystemError(ENOTSUP))
    #expect(advice.contains("does not support extended attributes"))
    #expect(advice.contains("set TMPDIR"))
  }

  @Test func `a container keeps its contents when it moves to a new path`() throws {
    let container = try FakeContainer()
    try container.apply(.save("Documents/a"))
    let (old, tree) = (container.url, try container.scan())
    try container.moveToNewURL()
    #expect(container.url != old && container.formerURLs == [old] && !exists(old))
    #expect(try container.scan() == tree)
  }

  @Test func `a container is empty after its replacement, as on a new device`() throws {
    let container = try FakeContainer()
    let old = container.url
    try container.replaceWithEmptyContainer()
    #expect(container.formerURLs == [old] && !exists(old))
    #expect(try container.scan() == FileTree())
  }

  @Test func `a move that fails leaves the path as it was`() throws {
    let container = try FakeContainer()
    let url = container.url
    try container.remove()
    #expect(throws: RunError.self) { try container.moveToNewURL() }
    #expect(container.url == url && container.formerURLs.isEmpty)
  }

  @Test func `removed and released containers leave nothing in their folder`() async throws {
    let folder = try TestFolder()
    try await withThrowingTaskGroup { group in
      for number in 0..<20 {
        group.addTask {
          let container = try FakeContainer(in: folder.url)
          try container.apply(.createDirectory("Documents/d/e", intermediates: true))
          _ = try ContainerArchive(of: [], in: container)
          if number.isMultiple(of: 2) { try container.remove() }
        }
      }
      try await group.waitForAll()
    }
    #expect(try folder.names().isEmpty)
  }

  @Test func `occupied bytes are counted in the container, but not behind links`() throws {
    let container = try FakeContainer()
    defer { try? container.remove() }
    let file = ContainerPath("Documents/folder/file")
    try container.apply(.createDirectory("Documents/folder", intermediates: false))
    try container.apply(
      .write(file, .bytes(Array(repeating: 1, count: 5000)), method: .atomically))
    let tree = try container.scan()
    #expect(try container.occupiedBytes(of: tree) >= 5000)
    let folder = container.documents.appendingPathComponent("folder")
    let elsewhere = container.documents.appendingPathComponent("elsewhere")
    try FileManager.default.moveItem(at: folder, to: elsewhere)
    try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: elsewhere)
    #expect(try container.occupiedBytes(of: tree) == 0)
  }
}
