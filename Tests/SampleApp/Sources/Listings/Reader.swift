import Foundation

/// An app for magazines: issues can be downloaded again, notes are the user's own.
public struct Reader: Sendable {
  /// The container.
  private let home: URL
  /// How the app marks what it keeps out of backups.
  private let marking: Marking

  /// The app in a container.
  ///
  /// - Parameters:
  ///   - home: The container's root.
  ///   - marking: How it marks.
  public init(home: URL, marking: Marking) {
    self.home = home
    self.marking = marking
  }

  /// Where issues and notes are.
  private var documents: URL { home.appending(path: "Documents") }

  /// Saves the list of news, and marks it in the same breath, as the post `eidinger` does.
  public func saveNews(_ text: String) throws {
    let news = documents.appending(path: "News.txt")
    try text.write(to: news, atomically: true, encoding: .utf8)
    try marking.keepOut(news)
  }

  /// Keeps an issue in a folder of the app's own, which is marked each time, as Apple's page on
  /// backups to iCloud does (`apple-optimizing`).
  public func keepIssue(_ number: Int) throws {
    let folder = home.appending(path: "Library/Application Support/Issues")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(count: 1000).write(to: folder.appending(path: "\(number).pdf"), options: .atomic)
    try marking.keepOut(folder)
  }

  /// Keeps an issue where a system without any mark leaves it out, and marks it for a later one
  /// (`apple-qa1719`).
  public func keepIssueInCaches(_ number: Int) throws {
    let folder = home.appending(path: "Library/Caches/Issues")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(count: 1000).write(to: folder.appending(path: "\(number).pdf"), options: .atomic)
    try marking.keepOut(folder)
  }

  /// Saves a note of the user's, which is not marked.
  public func saveNote(_ text: String) throws {
    try Data(text.utf8).write(to: documents.appending(path: "Note.txt"), options: .atomic)
  }

  /// Saves an issue into Documents and leaves the mark to the next launch.
  public func dropIssue(_ number: Int) throws {
    try Data(count: 1000).write(to: documents.appending(path: "\(number).pdf"), options: .atomic)
  }

  /// What `application(_:didFinishLaunchingWithOptions:)` does in a well-known recipe of 2012: it
  /// goes through Documents and marks each file (`ios5-backup-post`).
  public func sweepDocuments() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: documents.path) {
      try marking.keepOut(documents.appending(path: name))
    }
  }
}
