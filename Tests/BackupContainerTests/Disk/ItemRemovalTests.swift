import BackupFileTree
import Foundation
import TestSupport
import Testing

@testable import BackupContainer

/// The removal of directories as the app's code may leave them.
@Suite struct ItemRemovalTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  /// Makes directories, each in the one before, and a file in each.
  private func nest(_ count: Int, in path: String) throws {
    var directory = open(path, DirectoryNames.openOptions)
    try #require(directory >= 0)
    let name = String(repeating: "n", count: 100)
    for _ in 0..<count {
      try #require(mkdirat(directory, name, 0o755) == 0)
      close(openat(directory, "file", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644))
      let next = openat(directory, name, DirectoryNames.openOptions)
      close(directory)
      try #require(next >= 0)
      directory = next
    }
    close(directory)
  }

  @Test func `directories deeper than any path and than there are descriptors are removed`() throws
  {
    try folder.makeFolder("deep")
    try nest(2_000, in: folder.url("deep").path)
    try DiskPath(folder.url("deep")).removeItem()
    #expect(try DiskPath(folder.url("deep")).status() == nil)
  }

  @Test func `a container with such directories is removed`() throws {
    let container = try FakeContainer(in: folder.url)
    try nest(100, in: container.temporary.path)
    try container.remove()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test(arguments: [0, 0o100, 0o300, 0o500, 0o600] as [mode_t])
  func `permissions that forbid it are widened`(_ permissions: mode_t) throws {
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

  @Test(arguments: ["file", "directory"])
  func `a directory into which something keeps coming is given up, or removed`(kind: String) throws
  {
    try folder.makeFolder("busy/inside")
    let directory = open(folder.url("busy").path, DirectoryNames.openOptions)
    try #require(directory >= 0)
    let (isDone, hasEnded) = (Locked(false), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      var number = 0
      // A removal that never ends must not fill the disk.
      while number < 5_000, !isDone.withLock(\.self) {
        number += 1
        if kind == "file" {
          close(openat(directory, "\(number)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644))
        } else {
          mkdirat(directory, "\(number)", 0o755)
          mkdirat(directory, "\(number)/below", 0o755)
        }
      }
      hasEnded.signal()
    }
    let error = outcome { () throws(SystemError) in
      try DiskPath(folder.url("busy")).removeItem()
    }
    isDone.withLock { $0 = true }
    hasEnded.wait()
    close(directory)
    #expect(error == nil || error == SystemError(ENOTEMPTY))
    try DiskPath(folder.url("busy")).removeItem()
    #expect(try DiskPath(folder.url("busy")).status() == nil)
  }

  @Test func `what is not there is no error, nor what is below a file`() throws {
    try folder.write("text", to: "file")
    try DiskPath(folder.url("gone")).removeItem()
    try DiskPath(folder.url("gone/further")).removeItem()
    try DiskPath(folder.url("file/below")).removeItem()
    #expect(try folder.text(of: "file") == "text")
  }
}
