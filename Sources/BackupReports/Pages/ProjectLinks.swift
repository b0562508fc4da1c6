import BackupDiagnostics
import BackupVerdicts
import Foundation

/// The links from a page to files of the project.
struct ProjectLinks: Sendable {
  /// The relative path from the page's folder to the working directory, such as `../../`. Nil for a
  /// page outside the working directory, because the path would name folders of the machine.
  private let pathToRoot: String?

  /// Creates the links for a page. A page on standard output counts as a page in the working
  /// directory.
  init(from page: TextFile?) {
    guard let page else {
      pathToRoot = ""
      return
    }
    let folder = TextFile.realPath(of: page.url.deletingLastPathComponent().path)
    guard let folder, let root = TextFile.realPath(of: "."),
      folder == root || folder.hasPrefix("\(root)/")
    else {
      pathToRoot = nil
      return
    }
    let depth = folder.dropFirst(root.count).split(separator: "/").count
    pathToRoot = String(repeating: "../", count: depth)
  }

  /// Returns the relative address of a line in a file. Returns nil if the file or the page is
  /// outside the working directory.
  ///
  /// Colons are escaped, because a browser could read the text before a colon as a scheme.
  private func address(of file: String, line: Int) -> String? {
    let parts = file.split(separator: "/", omittingEmptySubsequences: false)
    guard let pathToRoot, !parts.contains(where: { ["", ".", ".."].contains(String($0)) }),
      let path = file.addingPercentEncoding(withAllowedCharacters: Self.unescapedCharacters)
    else { return nil }
    return "\(pathToRoot)\(path)#L\(line)"
  }

  private static let unescapedCharacters = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")

  /// Returns a position as text, such as `a.json5:3:5`, with a link if the file is in the project.
  func placeLink(of position: SourcePosition, in file: String) -> Markup {
    link(position.location(in: file.withoutMachineFolders), to: file, position.line)
  }

  func placeLink(of line: Int, in file: String) -> Markup {
    link("\(file.withoutMachineFolders):\(line)", to: file, line)
  }

  func link(_ words: String, to file: String, _ line: Int) -> Markup {
    let text: Markup = "<code>\(Markup.prose(words))</code>"
    return address(of: file, line: line).map { "<a href=\"\($0)\">\(text)</a>" } ?? text
  }
}

extension String {
  /// The path without folders of the machine: relative to the working directory, or only the last
  /// name.
  var withoutMachineFolders: String {
    let path = relativeToWorkingDirectory
    return path.hasPrefix("/") ? path.split(separator: "/").last.map(String.init) ?? path : path
  }
}
