import Foundation
import Testing

@testable import BackupContainer

/// Absolute paths in a container, also within texts, become paths relative to the container.
@Suite struct ContainerPathTests {
  private let container: FakeContainer

  init() throws {
    container = try FakeContainer()
  }

  /// The container's path, and the path of a former container.
  private var paths: [String] {
    [container.url.path, "\(container.deviceURL.path)/\(UUID().uuidString)"]
  }

  @Test func `a text names items relative to the container, and keeps the rest`() {
    for path in paths {
      #expect(
        container.makingPathsRelative(in: "no \(path)/tmp/a, no \(path)/b") == "no tmp/a, no b")
      #expect(
        container.makingPathsRelative(in: "StoreError(root: \"\(path)\", file: \"Documents/a\")")
          == "StoreError(root: \"\", file: \"Documents/a\")")
      #expect(container.makingPathsRelative(in: "'\(path)' is full") == "'' is full")
    }
  }

  @Test func `a path that begins with '/private' becomes relative too`() {
    for path in paths {
      #expect(container.makingPathsRelative(in: "no /private\(path)/tmp/a!") == "no tmp/a!")
    }
  }

  @Test func `a path outside of the container stays, and the path of an archive is shortened`() {
    #expect(container.makingPathsRelative(in: "/private/tmp/a") == "/private/tmp/a")
    #expect(
      container.makingPathsRelative(in: "\(container.archivesURL.path)/1 b/c") == "Archives/1 b/c")
  }

  @Test func `a path into any container is distinguished from other paths`() throws {
    let path = container.url.path
    #expect(FakeContainer.pathInAnyContainer("\(path)/tmp/a") == "tmp/a")
    #expect(FakeContainer.pathInAnyContainer("/private\(path)/tmp/a") == "tmp/a")
    for other in ["\(path)x/tmp/a", String(path.dropFirst()), container.deviceURL.path, "/", ""] {
      #expect(FakeContainer.pathInAnyContainer(other) == nil, "\(other)")
    }
  }
}
