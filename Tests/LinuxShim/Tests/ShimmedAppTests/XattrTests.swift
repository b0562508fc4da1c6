import CShimmedApp
import Foundation
import Testing

/// With the shim's header for C, Darwin's functions for extended attributes work on Linux.
@Suite struct XattrTests {
  /// The mark of iOS 5.0.1, by the attribute's name in an app's code.
  private static let mark = "com.apple.MobileBackup"

  /// Sets an attribute of one byte. Returns 0, or the negative value of `errno`.
  private func set(
    _ name: String = mark, on file: URL, position: UInt32 = 0, options: CInt = 0
  ) -> CInt {
    set_attribute(file.path, name, [1] as [UInt8], 1, position, options)
  }

  private func names(of file: URL) -> [String] {
    let size = list_attributes(file.path, nil, 0, 0)
    var buffer = [CChar](repeating: 0, count: max(size, 0))
    let count = list_attributes(file.path, &buffer, buffer.count, 0)
    return buffer.prefix(max(count, 0)).split(separator: 0)
      .map { String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self) }
  }

  @Test func `A mark is set under the kit's name, and is read, listed and removed`() async throws {
    try await TestContainer.withFile { file in
      #expect(set(on: file) == 0)
      #expect(file.hasAttribute("user.com.apple.MobileBackup"))
      var value: [UInt8] = [0, 0]
      #expect(get_attribute(file.path, Self.mark, &value, 2, 0, 0) == 1)
      #expect(value == [1, 0])
      #expect(names(of: file) == [Self.mark])
      #expect(remove_attribute(file.path, Self.mark, 0) == 0)
      #expect(get_attribute(file.path, Self.mark, nil, 0, 0, 0) == CLong(-error_no_attribute))
      #expect(remove_attribute(file.path, Self.mark, 0) == -error_no_attribute)
      #expect(names(of: file) == [])
    }
  }

  @Test func `Options mean what they mean on Darwin`() async throws {
    try await TestContainer.withFile { file in
      #expect([option_nofollow, option_create, option_replace] == [1, 2, 4])
      #expect(set(on: file, options: option_replace) == -error_no_attribute)
      #expect(set(on: file, options: option_create) == 0)
      #expect(set(on: file, options: option_create) == -EEXIST)
      #expect(set(on: file, options: option_replace) == 0)
      #expect(set(on: file, options: option_create | option_replace) == -EINVAL)
      #expect(set(on: file, options: 64) == -EINVAL)
      #expect(set(on: file, position: 1) == -EINVAL)
      #expect(get_attribute(file.path, Self.mark, nil, 0, 1, 0) == CLong(-EINVAL))
      #expect(set(String(repeating: "n", count: 128), on: file) == -ENAMETOOLONG)
      #expect(set(String(repeating: "n", count: 127), on: file) == 0)
      #expect(set("", on: file) == -EINVAL)
    }
  }

  @Test func `A link is followed unless the options say otherwise`() async throws {
    try await TestContainer.withFile { file in
      let link = file.deletingLastPathComponent().appendingPathComponent("link")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
      #expect(set(on: link) == 0)
      #expect(get_attribute(file.path, Self.mark, nil, 0, 0, option_nofollow) == 1)
      #expect(get_attribute(link.path, Self.mark, nil, 0, 0, 0) == 1)
      #expect(get_attribute(link.path, Self.mark, nil, 0, 0, option_nofollow) < 0)
      #expect(set(on: link, options: option_nofollow) < 0)
    }
  }

  @Test func `The kit's own attributes are not listed, and a short buffer is refused`() async throws
  {
    try await TestContainer.withFile { file in
      file.setAttribute("user.swift-backup-testing.identity")
      #expect(set("b", on: file) == 0)
      #expect(names(of: file) == ["b"])
      var short: [CChar] = [0]
      #expect(list_attributes(file.path, &short, 1, 0) == CLong(-ERANGE))
    }
  }

  @Test func `A mark that the kit hides can be removed`() async throws {
    try await TestContainer.withFile { file in
      let probe = "user.swift-backup-testing.probe.attribute"
      file.setAttribute(probe)
      #expect(remove_attribute(file.path, Self.mark, 0) == 0)
      #expect(!file.hasAttribute(probe))
    }
  }

  @Test func `A mark on a missing item of a container is noted for the kit`() async throws {
    let device = FileManager.default.temporaryDirectory
      .appendingPathComponent("sbt-\(UUID().uuidString.prefix(8).lowercased())")
    let root = device.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: device) }
    let missing = root.appendingPathComponent("Documents/missing")
    #expect(set(on: missing) == -ENOENT)
    #expect(set("other", on: missing) == -ENOENT)
    let notes = try Data(contentsOf: device.appendingPathComponent("marks-on-missing-items"))
    #expect(notes == Data(missing.path.utf8 + [0]))
    #expect(set(on: URL(fileURLWithPath: "/nowhere/at/all")) == -ENOENT)
  }

  @Test func `Calls on an open file work like calls on a path`() async throws {
    try await TestContainer.withFile { file in
      file.setAttribute("user.swift-backup-testing.identity")
      let handle = try FileHandle(forUpdating: file)
      defer { try? handle.close() }
      var results = [CLong](repeating: 0, count: 4)
      let secondRemoval = round_trip(handle.fileDescriptor, Self.mark, &results)
      #expect(results == [0, 3, CLong(Self.mark.count + 1), 0])
      #expect(secondRemoval == -error_no_attribute)
      #expect(round_trip(-1, Self.mark, &results) == -EBADF)
    }
  }
}
