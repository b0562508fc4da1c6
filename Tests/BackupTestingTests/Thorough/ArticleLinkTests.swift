import Foundation
import TestSupport
import Testing

/// The links between articles, the README and the files in `.github`. GitHub follows them
/// unchanged, and `Tests/Scripts/documentation` turns them into DocC's links.
@Suite struct ArticleLinkTests {
  /// A link, and the file that it is in.
  struct Link: Sendable, CustomTestStringConvertible {
    let file: String
    let target: String

    var testDescription: String { "\(file): \(target)" }
  }

  /// The folder of the articles.
  private static let articles = "Sources/BackupTesting/BackupTesting.docc"

  /// The files whose links are tested.
  private static let files =
    ["README.md"]
    + [articles, ".github"].flatMap { folder in
      let names = try? FileManager.default.contentsOfDirectory(atPath: Checkout.path(folder))
      return (names ?? []).filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
    }

  /// The relative links of all files.
  private static let links = files.flatMap { file in
    text(of: file).matches(of: /\]\(([^)\s]+(?:\([^)\s]*\)[^)\s]*)*)\)/)
      .map { Link(file: file, target: String($0.1)) }
      .filter { !$0.target.contains("://") }
  }

  /// Returns the text of a file without code blocks and inline code.
  private static func text(of file: String) -> String {
    let text = (try? Checkout.text(of: file)) ?? ""
    let prose = text.components(separatedBy: "```").enumerated()
      .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
    return prose.replacing(/`[^`\n]*`/, with: "")
  }

  /// Returns the headings of a file, as GitHub names them in links.
  private static func anchors(in file: String) -> Set<String> {
    let text = (try? Checkout.text(of: file)) ?? ""
    let prose = text.components(separatedBy: "```").enumerated()
      .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
    return Set(
      prose.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
        let title = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
        return title.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
          .replacing(" ", with: "-")
      })
  }

  @Test func `there are links in the files that readers begin with`() {
    #expect(Self.links.count > 60)
    let landing = "\(Self.articles)/BackupTesting.md"
    for file in ["README.md", ".github/CONTRIBUTING.md", landing] {
      #expect(Self.links.contains { $0.file == file }, "\(file)")
    }
  }

  @Test func `each link leads to a file, and to a heading in it`() {
    for link in Self.links {
      let parts = link.target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let folder = URL(fileURLWithPath: Checkout.path(link.file)).deletingLastPathComponent()
      let path =
        parts[0].isEmpty
        ? URL(fileURLWithPath: Checkout.path(link.file))
        : folder.appendingPathComponent(String(parts[0])).standardizedFileURL
      #expect(FileManager.default.fileExists(atPath: path.path), "no such file: \(link)")
      guard parts.count == 2 else { continue }
      let relative = path.path.dropFirst(Checkout.root.standardizedFileURL.path.count + 1)
      #expect(
        Self.anchors(in: String(relative)).contains(String(parts[1])), "no such heading: \(link)")
    }
  }

  @Test func `only the Topics of the landing page have DocC's own links`() {
    for file in Self.files {
      let isLanding = file == "\(Self.articles)/BackupTesting.md"
      let text = Self.text(of: file).components(separatedBy: "## Topics")[0]
      #expect(!text.contains("doc:"), "\(file): GitHub shows <doc:Name> as plain text")
      #expect(isLanding || !Self.text(of: file).contains("<doc:"), "\(file)")
    }
  }

  @Test func `each article is in the landing page's table or list, and in its Topics`() throws {
    let landing = try Checkout.article("BackupTesting")
    let names = Self.files.filter { $0.hasPrefix(Self.articles) }
      .compactMap { $0.split(separator: "/").last?.dropLast(3) }
    for name in names where name != "BackupTesting" {
      #expect(landing.contains("](\(name).md)"), "\(name) is not linked")
      #expect(landing.contains("- <doc:\(name)>"), "\(name) is not among the Topics")
    }
  }
}
