import CBackupFiles
import Foundation
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// The C functions of the shim for extended attributes.
@Suite struct ExtendedAttributeShimTests {
  private let container: FakeContainer
  private let path: String

  init() throws {
    container = try FakeContainer()
    path = container.documents.path
  }

  /// Calls a function with the place of the item at a path: the path of its directory, and its
  /// name.
  private func withPlace<Result>(
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

  private func setAttribute(_ name: String, _ value: [UInt8]) -> Int32 {
    withPlace(path) { cea_set_in($0, name, value, value.count) }
  }

  /// Reads an attribute into a buffer of `capacity` bytes. On failure, returns nil and `errno`.
  private func getAttribute(_ name: String, capacity: Int = 64) -> (value: [UInt8]?, error: Int32) {
    var value = [UInt8](repeating: 0xEE, count: capacity)
    let size = withPlace(path) { cea_get_in($0, name, &value, capacity) }
    return size < 0 ? (nil, errno) : (Array(value.prefix(size)), 0)
  }

  private func listAttributes() throws -> [String] {
    var names = [CChar](repeating: 0x21, count: 65_536)
    let size = withPlace(path) { cea_list_in($0, &names, names.count) }
    try #require(size >= 0)
    return names.prefix(size).split(separator: 0).map {
      String(decoding: $0.map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
    }
  }

  @Test func `an attribute is set, read, replaced and removed`() {
    #expect(setAttribute("a", [1, 2, 3]) == 0)
    #expect(getAttribute("a").value == [1, 2, 3])
    #expect(setAttribute("a", [9]) == 0)
    #expect(getAttribute("a").value == [9])
    #expect(withPlace(path) { cea_remove_in($0, "a") } == 0)
    #expect(cea_is_missing_error(getAttribute("a").error) != 0)
  }

  @Test func `an empty value is not a missing one`() {
    #expect(setAttribute("empty", []) == 0)
    #expect(getAttribute("empty").value == [])
  }

  @Test func `without a buffer, a call returns the size`() {
    #expect(setAttribute("a", [1, 2, 3]) == 0)
    #expect(withPlace(path) { cea_get_in($0, "a", nil, 0) } == 3)
    #expect(withPlace(path) { cea_list_in($0, nil, 0) } >= 2)
  }

  @Test func `too small a buffer is ERANGE`() {
    #expect(setAttribute("a", [1, 2, 3]) == 0)
    #expect(getAttribute("a", capacity: 2).error == ERANGE)
    var names: [CChar] = [0]
    #expect(withPlace(path) { cea_list_in($0, &names, 1) } == -1 && errno == ERANGE)
  }

  @Test func `the error of a missing attribute differs from other errors`() {
    #expect(withPlace(path) { cea_remove_in($0, "no") } == -1 && cea_is_missing_error(errno) != 0)
    #expect(withPlace(path + "/no") { cea_get_in($0, "a", nil, 0) } == -1 && errno == ENOENT)
    #expect(withPlace(path + "/no") { cea_set_in($0, "a", nil, 0) } == -1 && errno == ENOENT)
    #expect(withPlace(path + "/no") { cea_list_in($0, nil, 0) } == -1 && errno == ENOENT)
    #expect(withPlace(path + "/no") { cea_remove_in($0, "a") } == -1 && errno == ENOENT)
    #expect(cea_is_missing_error(ENOENT) == 0)
  }

  @Test func `a link at the end is not followed`() throws {
    #expect(setAttribute("a", [1]) == 0)
    try container.apply(.link("tmp/l", destination: "Documents"))
    let link = container.url(of: "tmp/l").path
    #expect(withPlace(link) { cea_get_in($0, "a", nil, 0) } == -1)
    #expect(withPlace(link) { cea_remove_in($0, "a") } == -1)
    #expect(getAttribute("a").value == [1])
  }

  @Test func `many attributes are listed once each`() throws {
    let names = (0..<60).map { "com.example.attribute-\($0)" }
    for name in names { #expect(setAttribute(name, [1]) == 0) }
    #expect(try listAttributes().sorted() == names.sorted())
  }

  /// Returns the results of five calls that read the attributes of `Documents`. If `descriptor` is
  /// -1, the calls find the item by the path of its directory.
  private func callResults(_ descriptor: Int32, below directory: String) -> [Int] {
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

  @Test func `calls by the directory's descriptor and by its path have the same results`() throws {
    #expect(setAttribute("a", [1, 2, 3]) == 0)
    let descriptor = open(container.url.path, O_RDONLY | O_DIRECTORY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let resultsByPath = callResults(-1, below: container.url.path)
    #expect(resultsByPath.prefix(4) == [3, -1, -1, 2])
    #expect(callResults(descriptor, below: container.url.path) == resultsByPath)
    #expect(callResults(-1, below: container.url.path + "/no") == [-1, -1, -1, -1, -1])
    let tooLong = String(repeating: "n", count: Int(PATH_MAX))
    #expect(callResults(-1, below: tooLong) == [-1, -1, -1, -1, -1] && errno == ENAMETOOLONG)
  }

  @Test(.enabled(if: cea_uses_descriptors() != 0, "the system has no calls with a descriptor"))
  func `with a descriptor the path does not matter`() throws {
    #expect(setAttribute("a", [1, 2, 3]) == 0)
    let descriptor = open(container.url.path, O_RDONLY | O_DIRECTORY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    #expect(callResults(descriptor, below: "/no").prefix(4) == [3, -1, -1, 2])
  }

  @Test func `with a descriptor alone attributes are set, got and removed`() throws {
    let descriptor = open(container.url.path, O_RDONLY | O_DIRECTORY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    "Documents".withCString { name in
      var place = cea_place(directory: descriptor, directory_path: nil, name: name)
      #expect(cea_set_in(&place, "a", "xyz", 3) == 0)
      #expect(getAttribute("a").value == Array("xyz".utf8))
      #expect(cea_get_in(&place, "a", nil, 0) == 3)
      #expect(cea_remove_in(&place, "a") == 0)
      #expect(cea_remove_in(&place, "a") == -1 && cea_is_missing_error(errno) != 0)
    }
  }

  #if os(Linux)
  @Test func `names are stored in the user namespace and listed without it`() throws {
    #expect(setAttribute("user.a", [1]) == 0)
    #expect(setAttribute("b", [2]) == 0)
    #expect(try listAttributes().sorted() == ["b", "user.a"])
    #expect(withPlace(path) { cea_get_in($0, "user.b", nil, 0) } == -1)
  }

  @Test func `the longest name has 250 bytes, longer ones are ERANGE`() {
    let longest = String(repeating: "n", count: 250)
    #expect(setAttribute(longest, [1]) == 0)
    #expect(getAttribute(longest).value == [1])
    #expect(setAttribute(longest + "n", [1]) == -1 && errno == ERANGE)
    #expect(getAttribute(longest + "n").error == ERANGE)
    #expect(withPlace(path) { cea_remove_in($0, longest + "n") } == -1 && errno == ERANGE)
  }
  #endif
}
