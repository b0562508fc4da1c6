import Foundation

/// An app for magazines. Issues can be downloaded again, and notes are the user's own.
public struct Reader: Sendable {
  /// The container's root.
  private let home: URL
  /// The way in which the app excludes files from backups.
  private let marking: Marking

  /// Creates the app in a container.
  ///
  /// - Parameters:
  ///   - home: The container's root.
  ///   - marking: The way in which the app excludes files from backups.
  public init(home: URL, marking: Marking) {
    self.home = home
    self.marking = marking
  }

  /// The directory of issues and notes.
  private var documents: URL { home.appending(path: "Documents") }

  /// Saves the list of news and marks it directly afterwards, as in the post `eidinger`.
  public func saveNews(_ text: String) throws {
    let news = documents.appending(path: "News.txt")
    try text.write(to: news, atomically: true, encoding: .utf8)
    try marking.keepOut(news)
  }

  /// Saves an issue in the app's own folder and marks the folder at each save, as on Apple's page
  /// on backups to iCloud (`apple-optimizing`).
  public func keepIssue(_ number: Int) throws {
    let folder = home.appending(path: "Library/Application Support/Issues")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(count: 1000).write(to: folder.appending(path: "\(number).pdf"), options: .atomic)
    try marking.keepOut(folder)
  }

  /// Saves an issue in Caches, which no backup includes, and marks it for later versions of iOS
  /// (`apple-qa1719`).
  public func keepIssueInCaches(_ number: Int) throws {
    let folder = home.appending(path: "Library/Caches/Issues")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(count: 1000).write(to: folder.appending(path: "\(number).pdf"), options: .atomic)
    try marking.keepOut(folder)
  }

  /// Saves a note of the user, without a mark.
  public func saveNote(_ text: String) throws {
    try Data(text.utf8).write(to: documents.appending(path: "Note.txt"), options: .atomic)
  }

  /// Saves an issue in Documents. The next launch marks it.
  public func dropIssue(_ number: Int) throws {
    try Data(count: 1000).write(to: documents.appending(path: "\(number).pdf"), options: .atomic)
  }

  /// Marks each file in Documents, as `application(_:didFinishLaunchingWithOptions:)` does in a
  /// well-known recipe of 2012 (`ios5-backup-post`).
  public func sweepDocuments() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: documents.path) {
      try marking.keepOut(documents.appending(path: name))
    }
  }
}
