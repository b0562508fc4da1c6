import BackupDiagnostics
import BackupVerdicts
import Foundation

/// HTML that is built from string literals.
///
/// The text of a literal is markup. An interpolated value is text and is escaped, unless it is
/// markup itself.
struct Markup: Sendable {
  let html: String

  static let empty: Markup = ""

  /// Joins pieces of markup.
  static func joined(_ parts: some Sequence<Markup>, separator: Markup = .empty) -> Markup {
    Markup(stringLiteral: parts.map(\.html).joined(separator: separator.html))
  }

  /// Creates markup from bytes that need no escapes.
  init(trusted bytes: [UInt8]) { html = String(decoding: bytes, as: UTF8.self) }

  /// Creates JSON for a script. A `<` is escaped, because `</script>` would end the script.
  init(json: some Collection<UInt8>) {
    let parts = json.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false)
    self.init(trusted: Array(parts.joined(separator: "\\u003c".utf8)))
  }

  /// Returns the markup if the condition is true; otherwise returns empty markup.
  static func when(_ condition: Bool, _ markup: @autoclosure () -> Markup) -> Markup {
    condition ? markup() : .empty
  }

  /// The escapes of characters that have a meaning in markup.
  private static let escapes: [Unicode.Scalar: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;",
  ]

  private static let contentSecurityPolicy: Markup =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

  /// The color of a page's title.
  enum Tone {
    case good
    case bad
    case neutral

    fileprivate var cssClass: Markup {
      switch self {
      case .good: " passed"
      case .bad: " error"
      case .neutral: ""
      }
    }
  }

  /// Returns a self-contained page. It contains its style, its script and the script's data, and
  /// must not load anything.
  static func page(
    _ title: String, _ tone: Tone, from origin: ReportOrigin?, _ content: Markup,
    script: (code: Markup, data: Markup)
  ) -> String {
    let titlePrefix = origin?.packageName.map { "\($0.cut(to: 100)): " } ?? ""
    let style = Markup(trusted: PackageResources.Page_css)
    let document: Markup = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="\(contentSecurityPolicy)">
      <title>\(titlePrefix)\(title)</title>
      <style>
      \(style)</style>
      </head>
      <body>
      <main>
      <h1 class="verdict\(tone.cssClass)">\(prose(title))</h1>
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
    let timeToMinute = time.prefix(16).replacing("T", with: " ")
    let parts = [packageName, commit, "\(timeToMinute) UTC", "backup-testing \(kit)"]
    let words = parts.compactMap { $0?.cut(to: 100) }.joined(separator: " · ")
    return "<p class=\"soft origin\">\(words)</p>\n"
  }
}

extension Markup {
  private static let shortenedFolders: [(path: String, words: String)] = [
    (FileManager.default.currentDirectoryPath, ""), (NSHomeDirectory(), "~/"),
  ].filter { $0.0 != "/" && !$0.0.isEmpty }

  /// Returns text whose lines may break after each slash. Paths in the working directory or in the
  /// user's home are shortened.
  static func prose(_ text: String) -> Markup {
    breaking(
      shortenedFolders.reduce(text) { $0.replacing("\($1.path)/", with: $1.words) }, after: "/")
  }

  /// Returns the name of a function as code. Lines may break after each part of the name.
  static func code(_ name: String) -> Markup { "<code>\(breaking(name, after: ".(:"))</code>" }

  private static func breaking(_ text: String, after breakCharacters: String) -> Markup {
    var pieces: [Markup] = []
    var remaining = text[...]
    while let end = remaining.firstIndex(where: breakCharacters.contains) {
      pieces.append("\(String(remaining[...end]))")
      remaining = remaining[remaining.index(after: end)...]
    }
    return joined(pieces + ["\(String(remaining))"], separator: "<wbr>")
  }

  static func path(_ path: String) -> Markup { "<span class=\"path\">\(prose(path))</span>" }

  /// Returns a section with the parts below a heading. The heading has the number of parts. Returns
  /// empty markup if there are no parts.
  static func section(_ title: String, _ parts: [Markup]) -> Markup {
    when(
      !parts.isEmpty, "<section><h2>\(title) (\(parts.count))</h2>\n\(joined(parts))</section>\n")
  }

  /// Returns lines in a box that the keyboard can also scroll. Empty without lines.
  static func block(_ lines: [String]) -> Markup {
    guard !lines.isEmpty else { return .empty }
    let markupLines = lines.map { line -> Markup in "\(line)\n" }
    return "<pre tabindex=\"0\">\(Markup.joined(markupLines))</pre>\n"
  }

  /// Returns the words, the command, and a button that copies the command.
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

    /// Adds text to an element or to a quoted attribute. The text is put on one line, and its
    /// invisible characters are escaped as in golden files.
    mutating func appendInterpolation(_ text: String) {
      html += text.onOneLine.escaped(by: Markup.escapes)
    }
  }
}

extension String {
  /// Returns the text with some scalars replaced. Characters are not compared, because a combining
  /// mark would hide a scalar.
  func escaped(by escapes: [Unicode.Scalar: String]) -> String {
    unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
  }
}

extension BinaryInteger {
  /// The number with a comma before each group of three digits, such as `1,234,567`.
  var withCommas: String {
    formatted(IntegerFormatStyle(locale: Locale(identifier: "en_US")))
  }
}
