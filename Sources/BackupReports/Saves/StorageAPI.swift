/// What an app does to its files or their marks by a function or property of the system, or of a
/// library that many apps use.
package enum StorageUse: String, Codable, CaseIterable, Sendable {
  case save = "saves"
  case folder = "makes a folder"
  case move = "moves"
  case copy = "copies"
  case removal = "removes"
  case mark = "marks"
  case look = "reads the mark"
  case directory = "finds a directory"
  case defaults = "uses UserDefaults"
  case path = "stores a path"
}

/// The functions and properties by which apps use storage, found by the identifiers that compilers
/// give to symbols.
struct StorageAPI {
  /// As in `FileManager.moveItem(at:to:)`.
  let name: String
  let use: StorageUse

  /// Finds what a symbol is; nil for one that does nothing to storage.
  ///
  /// - Parameter isShim: Whether the symbol is the kit's own, in the app's module, for Linux.
  init?(_ name: String, usr: String, isShim: Bool) {
    let baseName = String(name.prefix { $0 != "(" })
    if let use = Self.functions[baseName] {
      let mangled = "\(baseName.utf8.count)\(baseName)"
      let modules = ["5Glibc", "4Musl", "6Darwin"] + Self.foundation
      if usr == "c:@F@\(baseName)"
        || modules.contains(where: { usr.hasPrefix("s:\($0)\(mangled)") })
        || isShim && usr.contains(mangled)
      {
        self.init(name: baseName, use: use)
        return
      }
    }
    for (type, uses) in Self.members {
      for (use, names) in uses where names.contains(where: name.hasPrefix) {
        guard let start = Self.starts(of: type).first(where: usr.hasPrefix),
          isShim || !Self.isOfOtherModule(usr.dropFirst(start.count))
        else { continue }
        self.init(name: "\(type).\(name)", use: use)
        return
      }
    }
    return nil
  }

  private init(name: String, use: StorageUse) {
    self.name = name
    self.use = use
  }

  /// Whether a symbol's name may be that of a function or property here.
  static func mayBe(_ name: String) -> Bool {
    functions[String(name.prefix { $0 != "(" })] != nil
      || allNames.contains(where: name.hasPrefix)
  }

  private static let allNames = Set(members.flatMap { $0.uses.flatMap(\.value) })

  var isMarkProperty: Bool { name == "URLResourceValues.isExcludedFromBackup" }
  var isMarkKey: Bool { name == "URLResourceKey.isExcludedFromBackupKey" }

  private static let functions: [String: StorageUse] = {
    let names: [StorageUse: [String]] = [
      .save: ["fopen", "open", "openat", "creat", "mkstemp", "sqlite3_open", "sqlite3_open_v2"],
      .folder: ["mkdir", "mkdirat", "mkdtemp"],
      .move: ["rename", "renameat", "renamex_np", "renameatx_np"],
      .copy: ["copyfile", "fcopyfile", "clonefile"],
      .removal: ["unlink", "unlinkat", "rmdir", "remove"],
      .mark: ["setxattr", "fsetxattr", "lsetxattr", "removexattr", "fremovexattr"],
      .look: ["getxattr", "fgetxattr", "lgetxattr"],
      .directory: [
        "NSHomeDirectory", "NSTemporaryDirectory", "NSSearchPathForDirectoriesInDomains",
      ],
    ]
    return Dictionary(
      uniqueKeysWithValues: names.flatMap { use, names in names.map { ($0, use) } })
  }()

  /// By type, how the names of its members begin, in Swift or in Objective-C.
  private static let members: [(type: String, uses: KeyValuePairs<StorageUse, [String]>)] = [
    (
      "FileManager",
      [
        .save: ["createFile", "createSymbolicLink", "linkItem"],
        .folder: ["createDirectory"],
        .move: ["moveItem", "replaceItem", "setUbiquitous"],
        .copy: ["copyItem"],
        .removal: ["removeItem", "trashItem"],
        .directory: [
          "url(", "urls(", "URLForDirectory", "URLsForDirectory", "containerURL",
          "temporaryDirectory", "homeDirectory",
        ],
      ]
    ),
    (
      "URL",
      [
        .directory: [
          "documentsDirectory", "applicationSupportDirectory", "cachesDirectory",
          "libraryDirectory", "temporaryDirectory", "homeDirectory", "downloadsDirectory",
          "moviesDirectory", "musicDirectory", "picturesDirectory",
        ]
      ]
    ),
    ("Data", [.save: ["write(to", "writeTo"]]),
    ("NSMutableData", [.save: ["write(to", "writeTo"]]),
    ("String", [.save: ["write(to:atomically", "write(toFile", "writeTo"]]),
    ("NSArray", [.save: ["write(to", "writeTo"]]),
    ("NSDictionary", [.save: ["write(to", "writeTo"]]),
    ("FileWrapper", [.save: ["write(to", "writeTo"]]),
    ("FileHandle", [.save: ["init(forWriting", "init(forUpdating", "write(", "truncate"]]),
    ("OutputStream", [.save: ["init(url", "init(toFile"]]),
    ("KeyedArchiver", [.save: ["archiveRootObject"]]),
    ("URLResourceValues", [.look: ["isExcludedFromBackup"]]),
    ("URLResourceKey", [.look: ["isExcludedFromBackupKey"]]),
    (
      "UserDefaults",
      [
        .defaults: [
          "set", "removeObject", "removePersistent", "register", "string(", "object(", "bool(",
          "integer(", "data(", "array(", "dictionary", "url(", "float(", "double(", "value(",
          "init(suiteName",
        ]
      ]
    ),
    ("PersistentContainer", [.save: ["loadPersistentStores"]]),
    (
      "PersistentStoreCoordinator",
      [
        .save: ["addPersistentStore"], .move: ["migratePersistentStore", "replacePersistentStore"],
        .removal: ["destroyPersistentStore"],
      ]
    ),
    ("ManagedObjectContext", [.save: ["save("]]),
    ("ModelContainer", [.save: ["init("]]), ("ModelContext", [.save: ["save("]]),
    ("DatabaseQueue", [.save: ["init(path"]]), ("DatabasePool", [.save: ["init(path"]]),
    ("Realm", [.save: ["init("]]), ("Connection", [.save: ["init("]]),
  ]

  private static let foundation = ["10Foundation", "20FoundationEssentials"]

  /// How the identifiers of a type's members begin: in Swift's libraries, in those that are written
  /// in Objective-C, and in the kit's stand-ins for Apple's.
  private static func starts(of type: String) -> [String] {
    let modules =
      foundation + ["9AppleShim", "19AppleFoundationShim", "9SwiftData", "4GRDB", "10RealmSwift"]
      + ["6SQLite"]
    let special = ["String": ["s:SS", "s:Sy"], "URLResourceKey": ["c:@NSURLIsExcluded"]]
    return [type, "NS\(type)"].flatMap { name in
      modules.flatMap { module in "CVO".map { "s:\(module)\(name.utf8.count)\(name)\($0)" } }
        + ["s:So\(name.utf8.count)\(name)C", "c:objc(cs)\(name)("]
    } + special[type, default: []]
  }

  /// Whether the rest of an identifier, after the type, begins with the module of an extension that is
  /// not in Foundation.
  private static func isOfOtherModule(_ rest: Substring) -> Bool {
    guard let match = rest.prefixMatch(of: #/([1-9][0-9]*)/#), let count = Int(match.1) else {
      return false
    }
    let name = rest[match.range.upperBound...]
    return name.dropFirst(count).first == "E"
      && !foundation.contains("\(count)\(name.prefix(count))")
  }
}
