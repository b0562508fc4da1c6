import Foundation
import TestSupport
import Testing

@testable import BackupContainer

/// Files that others may have put where they are.
struct RegularFileTests {
  /// What is in the way of a copy, as `file: reason`; nil for nothing.
  private static func obstacle(
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
    #expect(Self.obstacle(folder, from: "a", to: "b") == nil)
    #expect(try folder.text(of: "b") == "0123456789")
    let words = "a: is larger than 9 bytes, the most that the kit reads"
    #expect(Self.obstacle(folder, from: "a", to: "c", upTo: 9) == words)
  }

  @Test func `what is no file, and what is in the target's place, is named`() throws {
    let folder = try TestFolder(["a": "text", "there": ""])
    symlink("a", folder.url("link").path)
    mkfifo(folder.url("pipe").path, 0o600)
    #expect(Self.obstacle(folder, from: "link", to: "b") == "link: this is a link, not a file")
    #expect(Self.obstacle(folder, from: "pipe", to: "b") == "pipe: this is a pipe, not a file")
    #expect(Self.obstacle(folder, from: "none", to: "b") == "none: no such file or folder")
    #expect(Self.obstacle(folder, from: "a", to: "there") == "there: file exists")
    #expect(Self.obstacle(folder, from: "a", to: "no/b") == "no/b: no such file or folder")
    #expect(try folder.names().sorted() == ["a", "link", "pipe", "there"])
  }

  @Test func `a link is read through where that is asked for`() throws {
    let folder = try TestFolder(["a": "0123456789"])
    symlink("a", folder.url("link").path)
    let link = folder.url("link").path
    #expect(try RegularFile.bytes(at: link, upTo: 4, followingLinks: true) == Array("0123".utf8))
    #expect(throws: RegularFile.AccessError.self) {
      _ = try RegularFile.bytes(at: link, upTo: 4, followingLinks: false)
    }
  }
}
