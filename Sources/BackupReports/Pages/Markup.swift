import BackupDiagnostics
import BackupVerdicts
import Foundation

/// HTML that is built from string literals. The literal part is markup; interpolated values are
/// text and escaped, unless they are markup themselves.
struct Markup: Sendable {
  let html: String

  static let empty: Markup = ""

  static func list(_ parts: some Sequence<Markup>, separator: Markup = .empty) -> Markup {
    Markup(stringLiteral: parts.map(\.html).joined(separator: separator.html))
  }

  init(trusted bytes: [UInt8]) { html = String(decoding: bytes, as: UTF8.self) }

  /// Creates JSON for a script, in which characters that could end the script are escaped.
  init(json: some Collection<UInt8>) {
    let parts = json.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false)
    self.init(trusted: Array(parts.joined(separator: "\\u003c".utf8)))
  }

  static func when(_ condition: Bool, _ markup: @autoclosure () -> Markup) -> Markup {
    condition ? markup() : .empty
  }

  /// The references for characters that have a meaning in markup.
  private static let references: [Unicode.Scalar: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;",
  ]

  private static let policy: Markup =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

  /// The color of a page's title.
  enum Tone {
    case good
    case bad
    case neutral

    fileprivate var name: Markup {
      switch self {
      case .good: " passed"
      case .bad: " error"
      case .neutral: ""
      }
    }
  }

  /// Returns a self-contained page: it includes its style, its script and the script's data, and may load nothing.
  static func page(
    _ title: String, _ tone: Tone, from origin: ReportOrigin?, _ content: Markup,
    script: (code: Markup, data: Markup)
  ) -> String {
    let name = origin?.packageName.map { "\($0.cut(to: 100)): " } ?? ""
    let style = Markup(trusted: PackageResources.Page_css)
    let document: Markup = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <title>\(name)\(title)</title>
      <style>
      \(style)</style>
      </head>
      <body>
      <main>
      <h1 class="verdict\(tone.name)">\(prose(title))</h1>
      \(origin.map(\.markup) ?? .empty)\
      \(content)</main>
      <script type="application/json" id="data">\(script.data)</script>
      <script>
      \(script.code)</script>
      </body>
      </html>

      """
    return document.html
  }
}

extension ReportOrigin {
  fileprivate var markup: Markup {
    let commit = commit.map { "commit \($0.prefix(10))" }
    let minute = time.prefix(16).replacing("T", with: " ")
    let parts = [packageName, commit, "\(minute) UTC", "backup-testing \(kit)"]
    let words = parts.compactMap { $0?.cut(to: 100) }.joined(separator: " · ")
    return "<p class=\"soft origin\">\(words)</p>\n"
  }
}

extension Markup {
  private static let folders: [(path: String, words: String)] = [
    (FileManager.default.currentDirectoryPath, ""), (NSHomeDirectory(), "~/"),
  ].filter { $0.0 != "/" && !$0.0.isEmpty }

  /// Returns text that may break after each slash, with paths shortened by the working directory and the user's home.
  static func prose(_ text: String) -> Markup {
    breaking(folders.reduce(text) { $0.replacing("\($1.path)/", with: $1.words) }, after: "/")
  }

  /// Returns the name of a function, which may break after each part.
  static func code(_ name: String) -> Markup { "<code>\(breaking(name, after: ".(:"))</code>" }

  private static func breaking(_ text: String, after marks: String) -> Markup {
    var pieces: [Markup] = []
    var rest = text[...]
    while let end = rest.firstIndex(where: marks.contains) {
      pieces.append("\(String(rest[...end]))")
      rest = rest[rest.index(after: end)...]
    }
    return list(pieces + ["\(String(rest))"], separator: "<wbr>")
  }

  static func path(_ path: String) -> Markup { "<span class=\"path\">\(prose(path))</span>" }

  /// Returns parts below a heading with their count; empty without parts.
  static func section(_ title: String, _ parts: [Markup]) -> Markup {
    when(
      !parts.isEmpty, "<section><h2>\(title) (\(parts.count))</h2>\n\(list(parts))</section>\n")
  }

  /// Returns lines in a box that the keyboard can scroll too; empty without lines.
  static func block(_ lines: [String]) -> Markup {
    guard !lines.isEmpty else { return .empty }
    let text = lines.map { line -> Markup in "\(line)\n" }
    return "<pre tabindex=\"0\">\(Markup.list(text))</pre>\n"
  }

  static func command(_ command: String, after words: String) -> Markup {
    """
    <p class="fix">\(words) <code>\(command)</code> \
    <button type="button" data-copy="\(command)" data-needs-script hidden>Copy</button></p>

    """
  }
}

extension Markup: ExpressibleByStringInterpolation {
  init(stringLiteral html: String) { self.html = html }

  init(stringInterpolation parts: Parts) { html = parts.html }

  struct Parts: StringInterpolationProtocol {
    fileprivate var html = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      html.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    mutating func appendLiteral(_ literal: String) { html += literal }

    mutating func appendInterpolation(_ markup: Markup) { html += markup.html }

    mutating func appendInterpolation(_ number: Int) { html += String(number) }

    /// Adds text on one line, in an element or in quotes. Invisible characters are escaped as in
    /// golden files.
    mutating func appendInterpolation(_ text: String) {
      html += text.onOneLine.escaped(by: Markup.references)
    }
  }
}

extension String {
  /// Returns the text with some of its scalars replaced. In a character, a combining mark would hide the scalar.
  func escaped(by escapes: [Unicode.Scalar: String]) -> String {
    unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
  }
}

extension BinaryInteger {
  /// The number with a comma before each group of three digits, such as `1,234,567`.
  var grouped: String {
    formatted(IntegerFormatStyle(locale: Locale(identifier: "en_US")))
  }
}
