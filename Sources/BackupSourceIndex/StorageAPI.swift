/// What an app does to its files or their marks by a function or property of the system, or of a
/// library that many apps use.
package enum StorageUse: String, Encodable, Sendable {
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

/// A function or property by which apps use storage, found by the identifiers that compilers give to
/// symbols.
struct StorageAPI {
  /// As in `FileManager.moveItem(at:to:)`.
  let name: String
  let use: StorageUse

  /// Finds what a symbol is, which may be the kit's own in the app's module; nil for one that does
  /// nothing to storage.
  init?(_ name: String, usr: String, isShim: Bool) {
    let baseName = String(name.prefix { $0 != "(" })
    for row in Self.rows where name.hasPrefix(row.name) {
      let isFound =
        row.type.isEmpty
        ? row.name == baseName && Self.isFunction(baseName, usr: usr, isShim: isShim)
        : Self.isMember(of: row.type, usr: usr, isShim: isShim)
      guard isFound else { continue }
      self.name = row.type.isEmpty ? baseName : "\(row.type).\(name)"
      self.use = row.use
      return
    }
    return nil
  }

  /// Whether a symbol's name may be that of a function or property here.
  static func mayBe(_ name: String) -> Bool {
    rows.contains { name.hasPrefix($0.name) }
  }

  /// Whether a name in a source may be that of a function or property here, and no initializer's.
  static func isName(_ mention: SourceMention) -> Bool {
    rows.contains { row in
      let base = row.name.prefix { $0 != "(" }
      guard base != "init", mention.name.hasPrefix(base) else { return false }
      if row.type.isEmpty { return mention.name == base && mention.kind == .call }
      guard mention.kind != .call else { return false }
      return base == row.name || mention.name == base && mention.kind == .memberCall
    }
  }

  /// Whether one character of a symbol's name or identifier keeps it from being of those here.
  static func isNearly(_ name: String, usr: String) -> Bool {
    let isKnown = mayBe(name)
    return rows.contains { row in
      if row.type.isEmpty {
        let usrs = [row.name, "backup_testing_\(row.name)"].map { "c:@F@\($0)" }
        return name == row.name && usrs.contains { usr.isNearly($0) }
          || name.isNearly(row.name) && usrs.contains(usr)
      }
      if name.hasPrefix(row.name) {
        let starts = starts(of: row.type)
        return !starts.contains(where: usr.hasPrefix)
          && starts.contains { usr.beginsNearly(with: $0) }
      }
      return !isKnown && name.beginsNearly(with: row.name)
        && isMember(of: row.type, usr: usr, isShim: false)
    }
  }

  var isMarkProperty: Bool { name == "URLResourceValues.isExcludedFromBackup" }
  var isMarkKey: Bool { name == "URLResourceKey.isExcludedFromBackupKey" }

  /// How the names of members begin, in Swift or in Objective-C; without a type, the names of
  /// functions.
  private static let rows: [(use: StorageUse, type: String, name: String)] =
    String(decoding: PackageResources.StorageAPIs_txt, as: UTF8.self)
    .split(separator: "\n").flatMap { line -> [(StorageUse, String, String)] in
      let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
      guard let use = StorageUse(rawValue: parts[0]) else { return [] }
      return parts[1].split(separator: " ").map { word in
        let names = word.split(separator: ".").map(String.init)
        return (use, names.count == 2 ? names[0] : "", names[names.count - 1])
      }
    }

  private static let foundation = ["10Foundation", "20FoundationEssentials"]

  private static func isFunction(_ name: String, usr: String, isShim: Bool) -> Bool {
    let mangled = "\(name.utf8.count)\(name)"
    let modules = ["5Glibc", "4Musl", "6Darwin"] + foundation
    return usr == "c:@F@\(name)" || modules.contains { usr.hasPrefix("s:\($0)\(mangled)") }
      || isShim && (usr.contains(mangled) || usr.hasSuffix("_\(name)"))
  }

  /// Whether a symbol is in a type of Swift's libraries, or of those that are written in Objective-C.
  private static func isMember(of type: String, usr: String, isShim: Bool) -> Bool {
    guard let start = starts(of: type).first(where: usr.hasPrefix) else { return false }
    return isShim || !isOfOtherModule(usr.dropFirst(start.count))
  }

  /// How the identifiers of a type's members begin.
  private static func starts(of type: String) -> [String] {
    let modules =
      foundation + ["9SwiftData", "4GRDB", "10RealmSwift", "6SQLite"]
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
