package import BackupDiagnostics
import BackupSourceIndex
import BackupVerdicts
import Foundation

/// The number of times that each part of the code ran. It comes from the JSON of
/// `swift test --enable-code-coverage` or `llvm-cov export`.
package struct Coverage: Sendable {
  private let date: Date
  /// The segments of each file, by the file's path, which is relative to the working directory or
  /// absolute. The count of a segment applies from its start to the next segment. The count is nil
  /// if the segment contains no code.
  private var segments: [String: [(line: Int, column: Int, count: Int?)]] = [:]

  package init(at path: String) throws(RunError) {
    do {
      let url = URL(fileURLWithPath: path)
      let values = try url.resourceValues(forKeys: [.contentModificationDateKey])
      try self.init(
        json: Data(contentsOf: url), date: values.contentModificationDate ?? .distantPast)
    } catch {
      throw RunError(
        .unreadable,
        "\(path): this is no coverage in JSON, as 'swift test --enable-code-coverage' writes it: "
          + error.reason)
    }
  }

  init(json: Data, date: Date) throws {
    self.date = date
    let root = try JSONSerialization.jsonObject(with: json) as? [String: Any]
    guard let data = root?["data"] as? [[String: Any]] else {
      throw CocoaError(.fileReadCorruptFile)
    }
    for file in data.flatMap({ $0["files"] as? [[String: Any]] ?? [] }) {
      guard let path = file["filename"] as? String, let rows = file["segments"] as? [[Any]] else {
        throw CocoaError(.fileReadCorruptFile)
      }
      let url = SourceIndex.resolvingFolderLinks(of: URL(fileURLWithPath: path))
      segments[url.path.relativeToWorkingDirectory] =
        try rows.map { row in
          guard row.count > 3, let line = row[0] as? Int, let column = row[1] as? Int else {
            throw CocoaError(.fileReadCorruptFile)
          }
          return (line, column, row[3] as? Bool == true ? row[2] as? Int : nil)
        }
    }
  }

  func has(_ file: String) -> Bool { segments[file] != nil }

  func isOlder(than file: String) throws(RunError) -> Bool {
    do {
      let values = try URL(fileURLWithPath: file).resourceValues(
        forKeys: [.contentModificationDateKey])
      return (values.contentModificationDate ?? .distantPast) > date
    } catch {
      throw RunError(
        .unreadable,
        "\(file): whether this changed after the tests ran is unknown: \(error.reason)")
    }
  }

  /// Returns the number of times that the code at a place ran. Returns nil if the coverage does not
  /// contain the code.
  func runCount(file: String, line: Int, column: Int) -> Int? {
    let segment = segments[file]?.last { ($0.line, $0.column) <= (line, column) }
    return segment.flatMap(\.count)
  }
}
