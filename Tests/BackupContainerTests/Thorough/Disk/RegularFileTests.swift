import Foundation
import TestSupport
import Testing

@testable import BackupContainer

/// Files are read and copied safely, although another program may have replaced them.
struct RegularFileTests {
  /// Copies a file. Returns the error as `file: reason`, or nil on success.
  private static func copyError(
    _ folder: TestFolder, from name: String, to target: String, upTo limit: Int64 = 10
  ) -> String? {
    do throws(RegularFile.AccessError) {
      try RegularFile.copy(
        from: folder.url(name).path, to: folder.url(target).path, upTo: limit)
      return nil
    } catch {
      return "\(error.path.dropFirst(folder.path.count + 1)): \(error.reason)"
    }
  }

  @Test func `a file is copied whole, up to its limit`() throws {
    let folder = try TestFolder(["a": "0123456789"])
    #expect(Self.copyError(folder, from: "a", to: "b") == nil)
    #expect(try folder.text(of: "b") == "0123456789")
    let message = "a: is larger than 9 bytes, the most that the kit reads"
    #expect(Self.copyError(folder, from: "a", to: "c", upTo: 9) == message)
  }

  @Test func `the error names a source that is no file, or a target that exists`() throws {
    let folder = try TestFolder(["a": "text", "there": ""])
    symlink("a", folder.url("link").path)
    mkfifo(folder.url("pipe").path, 0o600)
    #expect(Self.copyError(folder, from: "link", to: "b") == "link: this is a link, not a file")
    #expect(Self.copyError(folder, from: "pipe", to: "b") == "pipe: this is a pipe, not a file")
    #expect(Self.copyError(folder, from: "none", to: "b") == "none: no such file or folder")
    #expect(Self.copyError(folder, from: "a", to: "there") == "there: file exists")
    #expect(Self.copyError(folder, from: "a", to: "no/b") == "no/b: no such file or folder")
    #expect(try folder.names().sorted() == ["a", "link", "pipe", "there"])
  }

  @Test func `a link is followed only on request`() throws {
    let folder = try TestFolder(["a": "0123456789"])
    symlink("a", folder.url("link").path)
    let link = folder.url("link").path
    #expect(try RegularFile.bytes(at: link, upTo: 4, followingLinks: true) == Array("0123".utf8))
    #expect(throws: RegularFile.AccessError.self) {
      _ = try RegularFile.bytes(at: link, upTo: 4, followingLinks: false)
    }
  }
}
