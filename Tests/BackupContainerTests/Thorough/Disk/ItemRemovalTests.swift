import BackupFileTree
import Foundation
import TestSupport
import Testing

@testable import BackupContainer

/// Directories are removed, whatever app code has made of them.
@Suite struct ItemRemovalTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  /// Makes `count` nested directories with a file in each.
  func nest(_ count: Int, in path: String) throws {
    var directory = open(path, DirectoryNames.openOptions)
    try #require(directory >= 0)
    let name = String(repeating: "n", count: 100)
    for _ in 0..<count {
      try #require(mkdirat(directory, name, 0o755) == 0)
      close(openat(directory, "file", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644))
      let nestedDirectory = openat(directory, name, DirectoryNames.openOptions)
      close(directory)
      try #require(nestedDirectory >= 0)
      directory = nestedDirectory
    }
    close(directory)
  }

  @Test func `a container with deeply nested directories is removed`() throws {
    let container = try FakeContainer(in: folder.url)
    try nest(100, in: container.temporary.path)
    try container.remove()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test(arguments: [0, 0o100, 0o300, 0o500, 0o600] as [mode_t])
  func `permissions that forbid the removal are widened`(_ permissions: mode_t) throws {
    try folder.makeFolder("a/b/c")
    try folder.write("text", to: "a/b/c/file", permissions: 0)
    for path in ["a/b/c", "a/b", "a"] {
      try #require(chmod(folder.url(path).path, permissions) == 0)
    }
    try DiskPath(folder.url("a")).removeItem()
    #expect(try DiskPath(folder.url("a")).status() == nil)
  }

  @Test func `many directories beside each other are removed`() throws {
    for number in 0..<50 {
      try folder.makeFolder("wide/\(number)/moved-up-\(number)/x")
      try folder.write("text", to: "wide/\(number)/moved-up-\(number)/x/moved-up-1")
    }
    try folder.write("text", to: "wide/moved-up-3")
    try DiskPath(folder.url("wide")).removeItem()
    #expect(try DiskPath(folder.url("wide")).status() == nil)
  }

  @Test func `removing a missing item, or an item below a file, is no error`() throws {
    try folder.write("text", to: "file")
    try DiskPath(folder.url("gone")).removeItem()
    try DiskPath(folder.url("gone/further")).removeItem()
    try DiskPath(folder.url("file/below")).removeItem()
    #expect(try folder.text(of: "file") == "text")
  }
}
