import BackupDiagnostics
import BackupVerdicts
import Foundation

/// The addresses by which a page leads to files of the project.
struct ProjectLinks: Sendable {
  /// The way from the page's folder to the working directory, as `../../`; nil if the page is not in the
  /// working directory, because the way would name folders of the machine.
  private let wayUp: String?

  /// Links for a page in a file. A page on standard output is taken for one in the working directory.
  init(from page: TextFile?) {
    guard let page else {
      wayUp = ""
      return
    }
    let folder = TextFile.realPath(of: page.url.deletingLastPathComponent().path)
    guard let folder, let root = TextFile.realPath(of: "."),
      folder == root || folder.hasPrefix("\(root)/")
    else {
      wayUp = nil
      return
    }
    let depth = folder.dropFirst(root.count).split(separator: "/").count
    wayUp = String(repeating: "../", count: depth)
  }

  /// The relative address of a line of a file; nil for a file that is not named by a path below the working
  /// directory. No text makes an address of another kind, because a colon is escaped.
  private func address(of file: String, line: Int) -> String? {
    let parts = file.split(separator: "/", omittingEmptySubsequences: false)
    guard let wayUp, !parts.contains(where: { ["", ".", ".."].contains(String($0)) }),
      let path = file.addingPercentEncoding(withAllowedCharacters: Self.plain)
    else { return nil }
    return "\(wayUp)\(path)#L\(line)"
  }

  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")

  /// The place of a line, which leads to its file if that is the project's.
  func place(of position: SourcePosition, in file: String) -> Markup {
    link(position.place(in: file.withoutMachine), to: file, position.line)
  }

  func place(of line: Int, in file: String) -> Markup {
    link("\(file.withoutMachine):\(line)", to: file, line)
  }

  func link(_ words: String, to file: String, _ line: Int) -> Markup {
    let text: Markup = "<code>\(Markup.prose(words))</code>"
    return address(of: file, line: line).map { "<a href=\"\($0)\">\(text)</a>" } ?? text
  }
}

extension String {
  /// The path without folders of the machine: relative to the working directory, or else its last name.
  var withoutMachine: String {
    let path = inWorkingDirectory
    return path.hasPrefix("/") ? path.split(separator: "/").last.map(String.init) ?? path : path
  }
}
