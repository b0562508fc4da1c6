import Foundation
import os.log

#if canImport(UIKit)
import UIKit
#endif

/// Where a photo came from: a file that the user chose, in another app's folder.
package struct Places {
  private let lock = OSAllocatedUnfairLock(initialState: [String: Data]())

  package init() {}

  package static var system: String {
    #if os(iOS)
    "iOS"
    #else
    "another"
    #endif
  }

  /// What a diagnostic of the compiler names.
  package static let line = #line
  package static let file = #filePath

  package func remember(_ file: URL, as name: String) throws {
    guard file.startAccessingSecurityScopedResource() else { return }
    defer { file.stopAccessingSecurityScopedResource() }
    let bookmark = try file.bookmarkData()
    lock.withLock { $0[name] = bookmark }
  }

  package func file(_ name: String) throws -> URL? {
    guard let bookmark = lock.withLock({ $0[name] }) else { return nil }
    var isStale = false
    return try URL(resolvingBookmarkData: bookmark, bookmarkDataIsStale: &isStale)
  }
}
