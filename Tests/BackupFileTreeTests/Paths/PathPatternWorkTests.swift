import BackupFileTree
import Testing
import TreeSupport

/// Patterns that keep a naive matcher busy for ever. If a test does not end, the matcher is naive.
@Suite struct PathPatternWorkTests {
  /// A path of 64 components: 63 times `a`, and `aa` at the end.
  static let deepPath = String(repeating: "a/", count: 63) + "aa"
  /// A path of 1 023 bytes: four components of 255 times `a`.
  static let widePath = Array(repeating: String(repeating: "a", count: 255), count: 4)
    .joined(separator: "/")

  @Test(arguments: [
    String(repeating: "**/", count: 63) + "b", String(repeating: "**/a/", count: 31) + "b",
    String(repeating: "**/*/", count: 31) + "b", String(repeating: "**/?/", count: 31) + "b",
    "**/" + String(repeating: "a/", count: 61) + "b/**",
  ])
  func `many runs of components that fail at the very end`(pattern: String) throws {
    #expect(try !PathPattern(pattern).matches(try ContainerPath(Self.deepPath)))
  }

  @Test(arguments: [
    String(repeating: "**/", count: 63) + "aa", String(repeating: "**/a/", count: 31) + "aa",
    String(repeating: "**/*/", count: 31) + "*",
  ])
  func `many runs of components that match in the end`(pattern: String) throws {
    #expect(try PathPattern(pattern).matches(try ContainerPath(Self.deepPath)))
  }

  @Test(arguments: [
    String(repeating: "*a", count: 127) + "b", String(repeating: "a*", count: 127) + "b",
    String(repeating: "*", count: 254) + "b", String(repeating: "?*", count: 127) + "b",
    "*" + String(repeating: "a", count: 127) + "b*",
  ])
  func `many stars that fail at the very end`(component: String) throws {
    let path = try ContainerPath(Self.widePath)
    let tail = "**/" + component
    #expect(try !PathPattern(tail).matches(path))
    let everywhere = Array(repeating: component, count: 3).joined(separator: "/**/")
    #expect(try !PathPattern(everywhere).matches(path))
  }

  @Test(arguments: [String(repeating: "*a", count: 127), String(repeating: "?*", count: 127)])
  func `many stars that match in the end`(component: String) throws {
    let pattern = Array(repeating: component, count: 4).joined(separator: "/")
    #expect(try PathPattern(pattern).matches(try ContainerPath(Self.widePath)))
  }
}
