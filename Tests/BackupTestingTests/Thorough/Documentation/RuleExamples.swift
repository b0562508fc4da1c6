import Foundation

#if canImport(Security)
import Security
#endif

/// The Swift code of “When a test fails”. For most rules, the wrong code comes first, and then the
/// right code.
private struct RuleExamples {
  let files = FileManager.default
  let defaults = UserDefaults.standard
  let documents: URL
  let library: URL
  let support: URL
  let caches: URL

  func mark(_ item: URL) throws {
    var item = item
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    try item.setResourceValues(values)
  }

  func existsBeforeSet(_ data: Data, _ movie: URL) throws {
    try? mark(movie)
    try data.write(to: movie, options: .atomic)
    try data.write(to: movie, options: .atomic)
    try mark(movie)
  }

  func reapplyOnSave(_ data: Data, _ movie: URL) throws {
    let isNew = !files.fileExists(atPath: movie.path)
    try data.write(to: movie, options: .atomic)
    if isNew { try mark(movie) }
    try data.write(to: movie, options: .atomic)
    try mark(movie)
  }

  func systemDirectoryMarked() throws {
    try mark(documents)
    let movies = documents.appending(path: "Movies")
    try files.createDirectory(at: movies, withIntermediateDirectories: true)
    try mark(movies)
  }

  #if canImport(Security)
  func secretBackedUp(_ token: Data) throws -> OSStatus {
    try token.write(to: support.appending(path: "token"), options: .atomic)
    let item: [CFString: Any] = [
      kSecClass: kSecClassGenericPassword, kSecAttrAccount: "token", kSecValueData: token,
      kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
    ]
    let status = SecItemAdd(item as CFDictionary, nil)
    return status
  }
  #endif

  enum KeyError: Error {
    case isOnOldPhone
  }

  func storedKey() throws -> Data? { nil }
  func makeKey() throws -> Data { Data() }

  func sealedFileUnreadable() throws -> Data {
    let key = try storedKey() ?? makeKey()
    return key
  }

  func keyMadeOnce(_ notes: URL) throws -> Data {
    if let key = try storedKey() { return key }
    guard !files.fileExists(atPath: notes.path) else { throw KeyError.isOnOldPhone }
    return try makeKey()
  }

  func userDataPurgeable() throws {
    var folder = caches.appending(path: "Maps")
    folder = support.appending(path: "Maps")
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    try mark(folder)
  }

  func temporaryLeftBehind(_ scratch: URL) throws {
    try importTitles(from: scratch)
    defer { try? files.removeItem(at: scratch) }
    try importTitles(from: scratch)
  }

  func importTitles(from file: URL) throws {
    _ = try Data(contentsOf: file)
  }

  func existsBeforeUse(_ file: URL) throws -> Data {
    let poster = try Data(contentsOf: file)
    return poster
  }

  func isFetchedAgain(_ file: URL) throws -> Data? {
    do {
      return try Data(contentsOf: file)
    } catch CocoaError.fileReadNoSuchFile {
      return nil
    }
  }

  func contentsChanged(_ list: URL) throws {
    try Data("[]".utf8).write(to: list)
    if !files.fileExists(atPath: list.path) { try Data("[]".utf8).write(to: list) }
  }

  func tornSave(_ text: Data, _ diary: URL) throws {
    try files.removeItem(at: diary)
    try text.write(to: diary)
    try text.write(to: diary, options: .atomic)
  }

  func userDataLost(_ notes: URL, _ draft: URL) throws {
    if !files.fileExists(atPath: library.path) { try files.copyItem(at: notes, to: library) }
    try files.removeItem(at: notes)
  }

  func userDataKept(_ notes: URL, _ draft: URL) throws {
    if !files.fileExists(atPath: library.path) {
      try? files.removeItem(at: draft)
      try files.copyItem(at: notes, to: draft)
      try files.moveItem(at: draft, to: library)
    }
    try files.removeItem(at: notes)
  }

  func halfDone(_ album: URL, _ exported: URL) throws {
    try files.copyItem(at: album, to: exported)
  }

  func wholeOrNotAtAll(_ album: URL, _ exported: URL) throws {
    let draft = files.temporaryDirectory.appending(path: album.lastPathComponent)
    try? files.removeItem(at: draft)
    try files.copyItem(at: album, to: draft)
    try files.moveItem(at: draft, to: exported)
  }

  func staleContainerPath(_ movie: URL) {
    defaults.set(movie.path, forKey: "last")
    defaults.set("Movies/\(movie.lastPathComponent)", forKey: "last")
  }

  func appCheckFailed(_ list: URL, _ folder: URL) throws -> [String] {
    var titles = try JSONDecoder().decode([String].self, from: Data(contentsOf: list))
    titles.removeAll { !files.fileExists(atPath: folder.appending(path: $0).path) }
    return titles
  }
}
