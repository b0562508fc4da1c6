import BackupDiagnostics
import Foundation
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// The depth of a container is limited, so that code that walks it does not overflow the stack.
@Suite struct DeepPathTests {
  /// Whether the tests run with a sanitizer, for example with `swift test --sanitize=thread`. A
  /// sanitizer makes each stack frame larger.
  private let hasSanitizer = ["__asan_init", "__tsan_init"].contains { (name: String) in
    dlsym(dlopen(nil, RTLD_LAZY), name) != nil
  }

  /// Returns a path with `count` components.
  private func path(_ count: Int, of name: String = "a") throws -> ContainerPath {
    try ContainerPath(Array(repeating: name, count: count).joined(separator: "/"))
  }

  @Test func `a path has at most 64 components`() throws {
    #expect(try path(64).components.count == 64)
    #expect(throws: RunError.self) { try path(65) }
    let pattern = Array(repeating: "*", count: 65).joined(separator: "/")
    #expect(throws: RunError.self) { try PathPattern(pattern) }
  }

  @Test func `a move or copy to too deep a path is refused, on the tree and on disk`() throws {
    let container = try FakeContainer()
    defer { try? container.remove() }
    var tree = FileTree.Layout.newlyInstalled.tree
    let makeDeepDirectory = FileOperation.createDirectory(try path(40), intermediates: true)
    let makeOtherDirectory = FileOperation.createDirectory(
      try path(30, of: "b"), intermediates: true)
    let target = try ContainerPath(bytes: try path(30, of: "b").bytes + Array("/c".utf8))
    let operations: [FileOperation] = [
      .copy(try path(1), to: target), .move(try path(1), to: target, replacing: false),
    ]
    for operation in [makeDeepDirectory, makeOtherDirectory] {
      try tree.apply(operation)
      try container.apply(operation)
    }
    for operation in operations {
      #expect(throws: FileOperation.Failure(.pathTooLong, target)) { try tree.apply(operation) }
      #expect(throws: FileOperation.Failure(.pathTooLong, target)) {
        try container.apply(operation)
      }
    }
    #expect(try container.scan() == tree)
  }

  @Test func `a directory that app code makes too deep is unreadable`() throws {
    let container = try FakeContainer()
    defer { try? container.remove() }
    let deepPath = Array(repeating: "d", count: 70).joined(separator: "/")
    try FileManager.default.createDirectory(
      at: container.url.appendingPathComponent(deepPath), withIntermediateDirectories: true)
    let tree = try container.scan()
    #expect(tree[try path(64, of: "d")]?.isDirectory == true)
    let tooDeep = tree.paths.filter { $0.components.count > 64 }
    #expect(tooDeep.map(\.components.count) == [65])
    guard let firstTooDeep = tooDeep.first, case .unreadable = tree[firstTooDeep]?.kind else {
      Issue.record("\(tooDeep) is not explained")
      return
    }
  }

  @Test func `the deepest container is walked on half a megabyte of stack`() async throws {
    let container = try FakeContainer()
    defer { try? container.remove() }
    try container.apply(.createDirectory(path(64), intermediates: true))
    let source = try path(1)
    let copy: ContainerPath = "b"
    let isSame = await withCheckedContinuation { continuation in
      let thread = Thread {
        var tree = try? container.scan()
        try? tree?.apply(.copy(source, to: copy))
        try? container.apply(.copy(source, to: copy))
        let found = try? container.scan()
        continuation.resume(returning: tree != nil && tree?.hashValue == found?.hashValue)
      }
      thread.stackSize = 512 * 1024 * (hasSanitizer ? 4 : 1)
      thread.start()
    }
    #expect(isSame)
  }
}
