import CBackupFiles
import Foundation
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// The shim for extended attributes, as C sees it.
@Suite struct ExtendedAttributeShimTests {
  private let container: FakeContainer
  private let path: String

  init() throws {
    container = try FakeContainer()
    path = container.documents.path
  }

  /// Runs a call on the item at a path, by the directory's path.
  private func at<Result>(
    _ path: String, _ call: (UnsafePointer<cea_place>) -> Result
  ) -> Result {
    let url = URL(fileURLWithPath: path)
    return url.deletingLastPathComponent().path.withCString { directory in
      url.lastPathComponent.withCString { name in
        var place = cea_place(directory: -1, directory_path: directory, name: name)
        return call(&place)
      }
    }
  }

  /// Sets an attribute of the item.
  private func set(_ name: String, _ value: [UInt8]) -> Int32 {
    at(path) { cea_set_in($0, name, value, value.count) }
  }

  /// Reads an attribute into a buffer of a size; nil and the error on failure.
  private func get(_ name: String, capacity: Int = 64) -> (value: [UInt8]?, error: Int32) {
    var value = [UInt8](repeating: 0xEE, count: capacity)
    let size = at(path) { cea_get_in($0, name, &value, capacity) }
    return size < 0 ? (nil, errno) : (Array(value.prefix(size)), 0)
  }

  /// The names of all attributes.
  private func list() throws -> [String] {
    var names = [CChar](repeating: 0x21, count: 65_536)
    let size = at(path) { cea_list_in($0, &names, names.count) }
    try #require(size >= 0)
    return names.prefix(size).split(separator: 0).map {
      String(decoding: $0.map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
    }
  }

  @Test func `what is set is got, replaced and removed`() {
    #expect(set("a", [1, 2, 3]) == 0)
    #expect(get("a").value == [1, 2, 3])
    #expect(set("a", [9]) == 0)
    #expect(get("a").value == [9])
    #expect(at(path) { cea_remove_in($0, "a") } == 0)
    #expect(cea_is_missing_error(get("a").error) != 0)
  }

  @Test func `an empty value is not a missing one`() {
    #expect(set("empty", []) == 0)
    #expect(get("empty").value == [])
  }

  @Test func `without a buffer the size is told`() {
    #expect(set("a", [1, 2, 3]) == 0)
    #expect(at(path) { cea_get_in($0, "a", nil, 0) } == 3)
    #expect(at(path) { cea_list_in($0, nil, 0) } >= 2)
  }

  @Test func `too small a buffer is ERANGE`() {
    #expect(set("a", [1, 2, 3]) == 0)
    #expect(get("a", capacity: 2).error == ERANGE)
    var names: [CChar] = [0]
    #expect(at(path) { cea_list_in($0, &names, 1) } == -1 && errno == ERANGE)
  }

  @Test func `a missing attribute is told from other failures`() {
    #expect(at(path) { cea_remove_in($0, "no") } == -1 && cea_is_missing_error(errno) != 0)
    #expect(at(path + "/no") { cea_get_in($0, "a", nil, 0) } == -1 && errno == ENOENT)
    #expect(at(path + "/no") { cea_set_in($0, "a", nil, 0) } == -1 && errno == ENOENT)
    #expect(at(path + "/no") { cea_list_in($0, nil, 0) } == -1 && errno == ENOENT)
    #expect(at(path + "/no") { cea_remove_in($0, "a") } == -1 && errno == ENOENT)
    #expect(cea_is_missing_error(ENOENT) == 0)
  }

  @Test func `a link at the end is not followed`() throws {
    #expect(set("a", [1]) == 0)
    try container.apply(.link("tmp/l", destination: "Documents"))
    let link = container.url(of: "tmp/l").path
    #expect(at(link) { cea_get_in($0, "a", nil, 0) } == -1)
    #expect(at(link) { cea_remove_in($0, "a") } == -1)
    #expect(get("a").value == [1])
  }

  @Test func `many attributes are listed once each`() throws {
    let names = (0..<60).map { "com.example.attribute-\($0)" }
    for name in names { #expect(set(name, [1]) == 0) }
    #expect(try list().sorted() == names.sorted())
  }

  /// Reads an attribute and the names of `Documents` in the open container; `descriptor` -1 goes by
  /// the path.
  private func look(_ descriptor: Int32, below directory: String) -> [Int] {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      directory.withCString { path in
        var place = cea_place(directory: descriptor, directory_path: path, name: nil)
        return "Documents".withCString { name in
          place.name = name
          return [
            cea_get_in(&place, "a", buffer.baseAddress, 64),
            cea_get_in(&place, "a", buffer.baseAddress, 2), cea_get_in(&place, "no", nil, 0),
            cea_list_in(&place, buffer.baseAddress, 64), cea_list_in(&place, nil, 0),
          ]
        }
      }
    }
  }

  @Test func `an item is the same by a descriptor of its directory and by its path`() throws {
    #expect(set("a", [1, 2, 3]) == 0)
    let descriptor = open(container.url.path, O_RDONLY | O_DIRECTORY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let byPath = look(-1, below: container.url.path)
    #expect(byPath.prefix(4) == [3, -1, -1, 2])
    #expect(look(descriptor, below: container.url.path) == byPath)
    #expect(look(-1, below: container.url.path + "/no") == [-1, -1, -1, -1, -1])
    let tooLong = String(repeating: "n", count: Int(PATH_MAX))
    #expect(look(-1, below: tooLong) == [-1, -1, -1, -1, -1] && errno == ENAMETOOLONG)
  }

  @Test(.enabled(if: cea_uses_descriptors() != 0, "the system has no calls with a descriptor"))
  func `with a descriptor the path does not matter`() throws {
    #expect(set("a", [1, 2, 3]) == 0)
    let descriptor = open(container.url.path, O_RDONLY | O_DIRECTORY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    #expect(look(descriptor, below: "/no").prefix(4) == [3, -1, -1, 2])
  }

  @Test func `with a descriptor alone attributes are set, got and removed`() throws {
    let descriptor = open(container.url.path, O_RDONLY | O_DIRECTORY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    "Documents".withCString { name in
      var place = cea_place(directory: descriptor, directory_path: nil, name: name)
      #expect(cea_set_in(&place, "a", "xyz", 3) == 0)
      #expect(get("a").value == Array("xyz".utf8))
      #expect(cea_get_in(&place, "a", nil, 0) == 3)
      #expect(cea_remove_in(&place, "a") == 0)
      #expect(cea_remove_in(&place, "a") == -1 && cea_is_missing_error(errno) != 0)
    }
  }

  #if os(Linux)
  @Test func `names are stored in the user namespace and listed without it`() throws {
    #expect(set("user.a", [1]) == 0)
    #expect(set("b", [2]) == 0)
    #expect(try list().sorted() == ["b", "user.a"])
    #expect(at(path) { cea_get_in($0, "user.b", nil, 0) } == -1)
  }

  @Test func `the longest name has 250 bytes, longer ones are ERANGE`() {
    let longest = String(repeating: "n", count: 250)
    #expect(set(longest, [1]) == 0)
    #expect(get(longest).value == [1])
    #expect(set(longest + "n", [1]) == -1 && errno == ERANGE)
    #expect(get(longest + "n").error == ERANGE)
    #expect(at(path) { cea_remove_in($0, longest + "n") } == -1 && errno == ERANGE)
  }
  #endif
}
