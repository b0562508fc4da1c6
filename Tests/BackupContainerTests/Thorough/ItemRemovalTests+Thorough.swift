import BackupFileTree
import Foundation
import TestSupport
import Testing

@testable import BackupContainer

extension ItemRemovalTests {
  @Test func `directories nested deeper than paths and descriptors allow are removed`() throws {
    try folder.makeFolder("deep")
    try nest(2_000, in: folder.url("deep").path)
    try DiskPath(folder.url("deep")).removeItem()
    #expect(try DiskPath(folder.url("deep")).status() == nil)
  }

  @Test(arguments: ["file", "directory"])
  func `a directory that keeps getting items is removed, or the removal gives up`(kind: String)
    throws
  {
    try folder.makeFolder("busy/inside")
    let directory = open(folder.url("busy").path, DirectoryNames.openOptions)
    try #require(directory >= 0)
    let (isDone, hasEnded) = (Locked(false), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      var number = 0
      // A removal that never ends must not fill the disk.
      while number < 1_000, !isDone.withLock(\.self) {
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
    let error = thrownError { () throws(SystemError) in
      try DiskPath(folder.url("busy")).removeItem()
    }
    isDone.withLock { $0 = true }
    hasEnded.wait()
    close(directory)
    #expect(error == nil || error == SystemError(ENOTEMPTY))
    try DiskPath(folder.url("busy")).removeItem()
    #expect(try DiskPath(folder.url("busy")).status() == nil)
  }
}
