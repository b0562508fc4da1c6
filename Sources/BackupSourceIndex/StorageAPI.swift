/// The use of files or their marks by a function or property of the system, or of a common library.
package enum StorageUse: String, Encodable, Sendable {
  case save = "saves"
  case folder = "makes a folder"
  case move = "moves"
  case copy = "copies"
  case removal = "removes"
  case mark = "marks"
  case readMark = "reads the mark"
  case directory = "finds a directory"
  case defaults = "uses UserDefaults"
  case path = "stores a path"
}

/// A function or property with which apps use storage. The compiler's identifier of a symbol (its
/// USR) shows whether the symbol is this function or property.
struct StorageAPI {
  /// The full name, for example `FileManager.moveItem(at:to:)`.
  let name: String
  let use: StorageUse

  /// Creates the function or property that a symbol refers to. Returns nil if the symbol does not
  /// use storage. `isShim` is true if the shim defines the symbol in the app's module.
  init?(_ name: String, usr: String, isShim: Bool) {
    let baseName = String(name.prefix { $0 != "(" })
    for row in Self.rows where name.hasPrefix(row.name) {
      let isMatch =
        row.type.isEmpty
        ? row.name == baseName && Self.isFunction(baseName, usr: usr, isShim: isShim)
        : Self.isMember(of: row.type, usr: usr, isShim: isShim)
      guard isMatch else { continue }
      self.name = row.type.isEmpty ? baseName : "\(row.type).\(name)"
      self.use = row.use
      return
    }
    return nil
  }

  /// Returns whether a symbol with this name may be a function or property in the list.
  static func isPossibleName(_ name: String) -> Bool {
    rows.contains { name.hasPrefix($0.name) }
  }

  /// Returns whether a name in a source may be a function or property in the list. Initializers do
  /// not count.
  static func isListed(_ mention: SourceMention) -> Bool {
    rows.contains { row in
      let baseName = row.name.prefix { $0 != "(" }
      guard baseName != "init", mention.name.hasPrefix(baseName) else { return false }
      if row.type.isEmpty { return mention.name == baseName && mention.kind == .call }
      guard mention.kind != .call else { return false }
      return baseName == row.name || mention.name == baseName && mention.kind == .memberCall
    }
  }

  /// Returns whether the symbol would be in the list if one character of its name or its USR were
  /// different.
  static func isNearMiss(_ name: String, usr: String) -> Bool {
    let isListedName = isPossibleName(name)
    return rows.contains { row in
      if row.type.isEmpty {
        let usrs = [row.name, "backup_testing_\(row.name)"].map { "c:@F@\($0)" }
        return name == row.name && usrs.contains { usr.isNearMiss(of: $0) }
          || name.isNearMiss(of: row.name) && usrs.contains(usr)
      }
      if name.hasPrefix(row.name) {
        let usrPrefixes = usrPrefixes(of: row.type)
        return !usrPrefixes.contains(where: usr.hasPrefix)
          && usrPrefixes.contains { usr.hasNearPrefix($0) }
      }
      return !isListedName && name.hasNearPrefix(row.name)
        && isMember(of: row.type, usr: usr, isShim: false)
    }
  }

  var isMarkProperty: Bool { name == "URLResourceValues.isExcludedFromBackup" }
  var isMarkKey: Bool { name == "URLResourceKey.isExcludedFromBackupKey" }

  /// The list of functions and properties. If a row has a type, its name is the beginning of the
  /// names of the type's members, in Swift or Objective-C. If the type is empty, the name is that
  /// of a function.
  private static let rows: [(use: StorageUse, type: String, name: String)] =
    String(decoding: PackageResources.StorageAPIs_txt, as: UTF8.self)
    .split(separator: "\n").flatMap { line -> [(StorageUse, String, String)] in
      let useAndNames = line.split(separator: ": ", maxSplits: 1).map(String.init)
      guard let use = StorageUse(rawValue: useAndNames[0]) else { return [] }
      return useAndNames[1].split(separator: " ").map { fullName in
        let nameParts = fullName.split(separator: ".").map(String.init)
        return (use, nameParts.count == 2 ? nameParts[0] : "", nameParts[nameParts.count - 1])
      }
    }

  private static let foundation = ["10Foundation", "20FoundationEssentials"]

  private static func isFunction(_ name: String, usr: String, isShim: Bool) -> Bool {
    let mangledName = "\(name.utf8.count)\(name)"
    let modules = ["5Glibc", "4Musl", "6Darwin"] + foundation
    return usr == "c:@F@\(name)" || modules.contains { usr.hasPrefix("s:\($0)\(mangledName)") }
      || isShim && (usr.contains(mangledName) || usr.hasSuffix("_\(name)"))
  }

  /// Returns whether a symbol is a member of the type itself, not of another module's extension of
  /// the type.
  private static func isMember(of type: String, usr: String, isShim: Bool) -> Bool {
    guard let usrPrefix = usrPrefixes(of: type).first(where: usr.hasPrefix) else { return false }
    return isShim || !isOfOtherModule(usr.dropFirst(usrPrefix.count))
  }

  /// Returns the beginnings of the USRs of a type's members.
  private static func usrPrefixes(of type: String) -> [String] {
    let modules =
      foundation + ["9SwiftData", "4GRDB", "10RealmSwift", "6SQLite"]
    let specialPrefixes = ["String": ["s:SS", "s:Sy"], "URLResourceKey": ["c:@NSURLIsExcluded"]]
    return [type, "NS\(type)"].flatMap { name in
      modules.flatMap { module in "CVO".map { "s:\(module)\(name.utf8.count)\(name)\($0)" } }
        + ["s:So\(name.utf8.count)\(name)C", "c:objc(cs)\(name)("]
    } + specialPrefixes[type, default: []]
  }

  /// Returns whether a member belongs to an extension in a module other than Foundation. `usrEnd`
  /// is the member's USR after the part for the type.
  private static func isOfOtherModule(_ usrEnd: Substring) -> Bool {
    guard let match = usrEnd.prefixMatch(of: #/([1-9][0-9]*)/#), let nameLength = Int(match.1)
    else {
      return false
    }
    let textAfterNumber = usrEnd[match.range.upperBound...]
    return textAfterNumber.dropFirst(nameLength).first == "E"
      && !foundation.contains("\(nameLength)\(textAfterNumber.prefix(nameLength))")
  }
}
