// The items that a probe app makes, each to see what becomes of it.

import Foundation

extension ContainerProbe {
  /// An item that is made to see what becomes of it.
  struct Item: Sendable {
    /// Where it is, from the container's root.
    let path: String
    /// Makes it; what it throws is printed, since some cannot be made everywhere.
    let make: @Sendable (URL) throws -> Void
  }

  /// Makes all items; a sentence for each that could not be made.
  static func makeItems(in home: String = NSHomeDirectory(), group: String? = nil) -> [String] {
    let container = URL(fileURLWithPath: home, isDirectory: true)
    var failures = make(items, in: container)
    if let group { failures += make(groupItems, in: URL(fileURLWithPath: group)) }
    return failures
  }

  /// What is made in the container of an app or of an extension.
  static let items: [Item] =
    marks + saves + links + remnants + databases + places + names + [
      Item(path: "Documents/plain.txt", make: save),
      Item(path: "Documents/zero-length") { try Data().write(to: $0) },
      Item(path: "Documents/Empty", make: makeDirectory),
      Item(path: "Documents/class-a.bin") { url in
        #if canImport(Darwin)
          try bytes.write(to: url, options: .completeFileProtection)
        #else
          try save(url)
        #endif
      },
      Item(path: "Documents/without-permissions") { url in
        try save(url)
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: url.path)
      },
      Item(path: "Documents/own-attribute") { url in
        try save(url)
        try set("com.example.own", on: url)
      },
    ]

  /// Each mark, on each kind of item.
  private static let marks: [Item] = [
    Item(path: "Documents/marked.bin") {
      try save($0); try set(mark, on: $0)
    },
    Item(path: "Documents/marked-by-url.bin") {
      try save($0); try exclude($0)
    },
    Item(path: "Documents/marked-legacy.bin") {
      try save($0); try set(legacyMark, on: $0)
    },
    Item(path: "Documents/marked-both.bin") { url in
      try save(url)
      try set(mark, on: url)
      try set(legacyMark, on: url)
    },
    Item(path: "Documents/marked-folder/child") { url in
      try save(url)
      try exclude(url.deletingLastPathComponent())
    },
    Item(path: "Documents/marked-legacy-folder/child") { url in
      try save(url)
      try set(legacyMark, on: url.deletingLastPathComponent())
    },
    Item(path: "Documents/marked-empty-folder") {
      try makeDirectory($0); try exclude($0)
    },
    Item(path: "Documents/marked-folder/included") { url in
      try save(url)
      var url = url
      var values = URLResourceValues()
      values.isExcludedFromBackup = false
      try url.setResourceValues(values)
    },
  ]

  /// What is saved again after it was marked, in each way.
  private static let saves: [Item] = [
    Item(path: "Documents/marked-then-atomic.bin") { url in
      try save(url)
      try exclude(url)
      try bytes.write(to: url, options: .atomic)
    },
    Item(path: "Documents/marked-then-in-place.bin") { url in
      try save(url)
      try exclude(url)
      let file = try FileHandle(forWritingTo: url)
      try file.write(contentsOf: bytes)
      try file.close()
    },
    Item(path: "Documents/marked-then-replaced.bin") { url in
      try save(url)
      try exclude(url)
      let new = url.appendingPathExtension("new")
      try save(new)
      _ = try FileManager.default.replaceItemAt(url, withItemAt: new)
    },
    Item(path: "Documents/marked-then-moved.bin") { url in
      let old = url.appendingPathExtension("old")
      try save(old)
      try exclude(old)
      try FileManager.default.moveItem(at: old, to: url)
    },
    Item(path: "Documents/marked-then-copied.bin") { url in
      let old = url.appendingPathExtension("old")
      try save(old)
      try exclude(old)
      try FileManager.default.copyItem(at: old, to: url)
    },
    Item(path: "Documents/marked-then-unmarked.bin") { url in
      try save(url)
      try exclude(url)
      var url = url
      var values = URLResourceValues()
      values.isExcludedFromBackup = false
      try url.setResourceValues(values)
    },
  ]

  /// Links, and what is no file.
  private static let links: [Item] = [
    Item(path: "Documents/link-relative") { try link($0, to: "plain.txt") },
    Item(path: "Documents/link-absolute") { url in
      try link(url, to: url.deletingLastPathComponent().path + "/plain.txt")
    },
    Item(path: "Documents/link-to-folder") { try link($0, to: "../Library/Caches") },
    Item(path: "Documents/link-to-nothing") { try link($0, to: "nowhere") },
    Item(path: "Documents/hard-link-a") { url in
      try save(url)
      let other = url.deletingLastPathComponent().appendingPathComponent("hard-link-b")
      try check(Foundation.link(url.path, other.path))
    },
    Item(path: "Documents/pipe") { try check(mkfifo($0.path, 0o600)) },
    Item(path: "Documents/socket", make: makeSocket),
  ]

  /// What an interrupted save leaves.
  private static let remnants: [Item] = [
    Item(path: "Documents/.dat.nosync0a1b.c2d3e4", make: save),
    Item(path: "Documents/list.plist.1a2B3c4", make: save),
    Item(path: "Documents/.hidden", make: save),
  ]

  /// Data stores, with what SQLite and Core Data put beside them.
  private static let databases: [Item] = [
    Item(path: "Documents/wal-closed.sqlite") { try makeDatabase($0, staysOpen: false) },
    Item(path: "Documents/wal-open.sqlite") { try makeDatabase($0, staysOpen: true) },
    Item(path: "Documents/.store_SUPPORT/_EXTERNAL_DATA/0A1B", make: save),
    Item(path: "Documents/store.sqlite") { try makeDatabase($0, staysOpen: false) },
  ]

  /// Every place whose treatment differs.
  private static let places: [Item] = [
    "Documents/Inbox/file", "Library/file", "Library/Own/file", "Library/Application Support/file",
    "Library/Caches/file", "Library/Preferences/com.example.own.plist", "Library/Cookies/file",
    "Library/Saved Application State/file", "Library/WebKit/WebsiteData/file",
    "Library/SplashBoard/file", "SystemData/file", "StoreKit/file", "Own/file", "tmp/file",
  ].map { Item(path: $0, make: save) }

  /// Names at the edge of what is allowed.
  private static let names: [Item] =
    [
      Item(path: "Documents/e\u{301} composed of two", make: save),
      Item(path: "Documents/\u{6620}\u{753B} \u{1F3AC}.txt", make: save),
    ] + longPaths.map { Item(path: longPath($0), make: save) }

  /// How long paths are, each the last that is backed up and the first that is skipped, if what counts
  /// is an absolute path of 998 bytes: in the container of an app on a phone, whose own path has 76
  /// bytes, or with `/private` in front 84, and a `/` behind it.
  static let longPaths = [912, 913, 920, 921]

  /// What is made in the container of a group.
  static let groupItems: [Item] = [
    Item(path: "file", make: save), Item(path: "Library/Caches/file", make: save),
    Item(path: "tmp/file", make: save), Item(path: "Library/Preferences/file", make: save),
    Item(path: "marked.bin") {
      try save($0); try exclude($0)
    },
  ]
}
