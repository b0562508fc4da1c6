import BackupDiagnostics
import Foundation
import TestSupport
import Testing

/// The examples in doc comments, articles and the README are in these tests too, so that they
/// compile.
@Suite struct ExampleTests {
  /// An example in the documentation.
  struct Example {
    /// The file, relative to the repository, and the line where the example begins.
    let place: String
    /// The lines of code, without indentation and comments.
    let lines: [String]
  }

  private static let root = Checkout.root
  /// The folder with the compiled examples.
  private static let folder = "Tests/BackupTestingTests/Thorough/Documentation"

  /// The lines of code in each compiled file, without indentation.
  private static let compiled: [[String]] = files(
    below: folder, [".swift"]
  ).map { file in code(in: text(of: file).split(separator: "\n").map(String.init)) }

  @Test func `each example compiles`() {
    for example in Self.examples {
      #expect(
        Self.compiled.contains { contains(example.lines, in: $0) },
        "add the example of \(example.place) to a file in \(Self.folder)")
    }
  }

  @Test func `there are examples in doc comments, in articles and in the README`() {
    for pathPart in ["Sources/BackupTesting/", "Sources/BackupScenarios/", ".docc/", "README.md"] {
      #expect(Self.examples.contains { $0.place.contains(pathPart) })
    }
  }

  /// The codes of errors that public calls throw.
  private static let publicCodes: [RunError.Code] = [
    .noScenario, .unreadable, .unwritable, .sharedGoldenFile, .unknownSystem, .systemNotLater,
    .invalidPath, .invalidApp, .unknownRecordMode, .unknownExploration, .containerUnavailable,
    .performing, .foreignBackup, .appEnded, .notInstalled, .invalidScenario,
  ]

  @Test(arguments: publicCodes)
  func `TestingAppCode has each code of an error`(code: RunError.Code) {
    let article = Self.text(of: "Sources/BackupTesting/BackupTesting.docc/TestingAppCode.md")
    let rows = article.split(separator: "\n").filter { $0.hasPrefix("| `") }
    #expect(rows.contains { $0.split(separator: "|")[0].contains("`\(code)`") })
  }

  /// Whether a file has lines in succession. A line may be a part of the file's line, for example
  /// inside an `#expect`.
  private func contains(_ lines: [String], in file: [String]) -> Bool {
    file.indices.contains { start in
      file.count - start >= lines.count
        && zip(lines, file[start...]).allSatisfy { $1.contains($0) }
    }
  }

  /// All examples of the documentation.
  private static let examples: [Example] =
    (files(below: "Sources", [".swift", ".md"]) + ["README.md"]).flatMap(examples)

  /// Returns the examples of a file.
  private static func examples(in file: String) -> [Example] {
    var examples: [Example] = []
    var openExample: (place: String, lines: [String])?
    for (index, line) in text(of: file).split(
      separator: "\n", omittingEmptySubsequences: false
    ).enumerated() {
      let line = line.trimmingCharacters(in: .whitespaces)
      let isComment = file.hasSuffix(".swift")
      guard !isComment || line.hasPrefix("///") else { continue }
      let content = (isComment ? String(line.dropFirst(3)) : line).trimmingCharacters(
        in: .whitespaces)
      if content == "```swift" {
        openExample = ("\(file):\(index + 1)", [])
      } else if content == "```", let example = openExample {
        let isManifest = example.lines.contains("import PackageDescription")
        let code = isManifest ? [] : code(in: example.lines)
        if !code.isEmpty { examples.append(Example(place: example.place, lines: code)) }
        openExample = nil
      } else {
        openExample?.lines.append(content)
      }
    }
    return examples
  }

  /// Returns lines of code without indentation, imports and comments.
  private static func code(in lines: [String]) -> [String] {
    lines.compactMap { line in
      let code = line.components(separatedBy: "  // ")[0].trimmingCharacters(in: .whitespaces)
      let isCode = !code.isEmpty && !code.hasPrefix("import ") && !code.hasPrefix("//")
      return isCode ? code : nil
    }
  }

  /// Returns the text of a file in the repository.
  private static func text(of path: String) -> String {
    (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
  }

  /// Returns the paths of files below a folder of the repository.
  private static func files(below folder: String, _ extensions: [String]) -> [String] {
    let found = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
    let paths = found?.compactMap { $0 as? String } ?? []
    return paths.filter { path in extensions.contains(where: path.hasSuffix) }
      .map { "\(folder)/\($0)" }.sorted()
  }
}
