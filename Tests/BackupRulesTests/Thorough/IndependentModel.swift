import TestSupport

/// A small model of iOS that shares no code with the kit's simulators. It knows which files a
/// device has, and which of them a backup contains. Paths are texts, as in scenario files.
struct IndependentModel {
  struct Item {
    var isDirectory = false
    /// The mark of iOS 5.0.1.
    var hasAttribute = false
    /// The mark from iOS 5.1 on.
    var hasResourceValue = false
  }

  static let eras = ["5.0", "5.0.1", "5.1", "8", "9", "18", "26"]
  static let group = "group.x:/"

  private(set) var era: Int
  private(set) var items: [String: Item] = [:]
  private var backups: [String: [String: Item]] = [:]

  init(era: Int) {
    self.era = era
    makeStandardDirectories()
  }

  // MARK: What a backup holds

  /// The files, and whether a backup taken now contains them.
  var files: [String: Bool] {
    items.filter { !$0.value.isDirectory }.reduce(into: [:]) { $0[$1.key] = isBackedUp($1.key) }
  }

  /// The files for which a backup taken now would be wrong: the user's files that it lacks, and
  /// other files that it contains.
  var wrongFiles: Set<String> {
    Set(files.filter { Self.isCritical($0.key) != $0.value }.keys)
  }

  /// Whether a file is the user's own. The first letter of a file's name stands for its class.
  static func isCritical(_ path: String) -> Bool {
    path.split(separator: "/").last?.first == "c"
  }

  private func isBackedUp(_ path: String) -> Bool {
    guard !isMarked(path) else { return false }
    let isGroup = path.hasPrefix(Self.group)
    let place = isGroup ? String(path.dropFirst(Self.group.count)) : path
    if Self.lies(place, in: "Library/Caches") { return false }
    if isGroup { return true }
    if Self.lies(place, in: "tmp") { return false }
    return !isFromNineOn || Self.lies(place, in: "Documents") || Self.lies(place, in: "Library")
  }

  private var isFromNineOn: Bool { era >= 4 }

  /// Whether an item, or a directory above it, has a mark that the iOS version honours.
  private func isMarked(_ path: String) -> Bool {
    sequence(first: path, next: Self.parent).contains { path in
      switch era {
      case 0: false
      case 1: items[path]?.hasAttribute == true
      default: items[path]?.hasResourceValue == true
      }
    }
  }

  // MARK: Paths

  static func parent(of path: String) -> String? {
    guard path != group, let slash = path.lastIndex(of: "/") else { return nil }
    let parent = String(path[..<slash])
    return parent.hasSuffix(":") ? group : parent
  }

  static func lies(_ path: String, in directory: String) -> Bool {
    path == directory || path.hasPrefix(directory.hasSuffix("/") ? directory : directory + "/")
  }

  /// Whether an item can be created at a path.
  func hasParent(_ path: String) -> Bool {
    Self.parent(of: path).map { items[$0]?.isDirectory == true } ?? true
  }

  // MARK: What the app does

  mutating func makeDirectory(_ path: String) { items[path, default: Item()].isDirectory = true }

  /// Creates a file without a mark, in the place of an existing one.
  mutating func makeFile(_ path: String) { items[path] = Item() }

  mutating func mark(_ path: String, byAttribute: Bool, _ isMarked: Bool) {
    if byAttribute {
      items[path]?.hasAttribute = isMarked
    } else if era >= 2 {
      items[path]?.hasResourceValue = isMarked
    }
  }

  mutating func copy(_ path: String, to copy: String) {
    for (old, item) in items where Self.lies(old, in: path) {
      items[copy + old.dropFirst(path.count)] = item
    }
  }

  mutating func remove(_ path: String) { items = items.filter { !Self.lies($0.key, in: path) } }

  // MARK: What the system does

  private mutating func makeStandardDirectories() {
    let ownDirectories = ["Documents", "Library", "Library/Caches", "Library/Preferences", "tmp"]
    for path in ownDirectories + ["", "Library", "Library/Caches"].map({ Self.group + $0 }) {
      makeDirectory(path)
    }
  }

  mutating func backUp(_ label: String) {
    backups[label] = items.filter { isBackedUp($0.key) }
  }

  mutating func restore(_ label: String) {
    items = (backups[label] ?? [:]).mapValues { Item(isDirectory: $0.isDirectory) }
    makeStandardDirectories()
  }

  mutating func purge(_ urgency: String) {
    let caches = ["Library/Caches", Self.group + "Library/Caches"]
    for place in urgency == "lowStorage" ? caches : caches + ["tmp"] {
      if urgency == "idle" || isFromNineOn {
        remove(place)
      } else {
        for path in files.keys where Self.lies(path, in: place) && !isMarked(path) {
          items[path] = nil
        }
      }
    }
    makeStandardDirectories()
  }

  mutating func updateApp() {
    let keptDirectories = ["Documents", "Library", Self.group]
    items = items.filter { item in keptDirectories.contains { Self.lies(item.key, in: $0) } }
    makeStandardDirectories()
  }

  mutating func updateSystem(to era: Int) { self.era = era }
}
