#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// The container in which `ShelfApp` keeps its files.
protocol ShelfPlace: SendableMetatype {
  /// The root directory of the container.
  static func root(_ container: FakeContainer.Locations) throws -> URL
  /// The beginning of the app's paths in `files`, for example `group.com.example.shelf:/`.
  static var prefix: String { get }
}

/// The app's own container.
enum OwnPlace: ShelfPlace {
  static let prefix = ""
  static func root(_ container: FakeContainer.Locations) -> URL { container.url }
}

/// The container of a group.
enum GroupPlace: ShelfPlace {
  static let group = "group.com.example.shelf"
  static let prefix = "\(group):/"
  static func root(_ container: FakeContainer.Locations) throws -> URL {
    guard let url = container.group(group) else { throw CocoaError(.fileNoSuchFile) }
    return url
  }
}

/// A type that stands for one `ShelfFaultKind`, so that `ShelfApp` can be generic over its mistake.
protocol ShelfFault: SendableMetatype {
  static var kind: ShelfFaultKind { get }
}

enum ShelfFaultKind { case none, marksOnce, marksLists, marksSecrets, readsBlindly, leavesScratch }

enum Faultless: ShelfFault { static let kind = ShelfFaultKind.none }
enum MarksOnce: ShelfFault { static let kind = ShelfFaultKind.marksOnce }
enum MarksLists: ShelfFault { static let kind = ShelfFaultKind.marksLists }
enum MarksSecrets: ShelfFault { static let kind = ShelfFaultKind.marksSecrets }
enum ReadsBlindly: ShelfFault { static let kind = ShelfFaultKind.readsBlindly }
enum LeavesScratch: ShelfFault { static let kind = ShelfFaultKind.leavesScratch }

/// An app for the standard suite that has a file of each class, a group and an extension.
///
/// `Place` is the container of its files, and `Fault` is its mistake. The launch throws an error
/// unless it is the first launch in its own process.
enum ShelfApp<Place: ShelfPlace, Fault: ShelfFault>: AppUnderTest {
  static var bundleIdentifier: String { "com.example.shelf" }
  static var groups: [String] { [GroupPlace.group] }
  static var extensions: [String] { ["com.example.shelf.widget"] }

  static var files: KeyValuePairs<String, DataClass> {
    [
      "\(Place.prefix)Library/list.json": .critical,
      "\(Place.prefix)Library/Application Support/Movies/**": .offline,
      "\(Place.prefix)Library/Application Support/Index/**": .support,
      "\(Place.prefix)Library/token": .secret,
      "\(Place.prefix)Library/Caches/**": .cached,
      "tmp/**": .temporary,
    ]
  }

  static func launch(_ launch: AppLaunch) async throws {
    if Fault.kind == .marksLists { print("the shelf begins") }
    guard ShelfStart.count.next() == 1, ProcessInfo.processInfo.environment["HOME"] != nil,
      NSHomeDirectory() == launch.container.url.path
    else { throw ShelfStart.NotOfItsOwn() }
  }

  static var actions: AppActions {
    [
      "save.critical": { action in
        try save("Library/list.json", action, isMarked: Fault.kind == .marksLists)
      },
      "load.critical": { action in
        _ = try Data(contentsOf: try url("Library/list.json", action))
      },
      "save.offline": { try saveMarked("Library/Application Support/Movies/1.mp4", $0) },
      "load.offline": { try saveIfMissing("Library/Application Support/Movies/1.mp4", $0) },
      "save.support": { try saveMarked("Library/Application Support/Index/titles", $0) },
      "load.support": { try saveIfMissing("Library/Application Support/Index/titles", $0) },
      "save.secret": { action in
        guard Fault.kind == .marksSecrets else { return }
        try save("Library/token", action, isMarked: true)
      },
      "save.cached": { try save("Library/Caches/cover.png", $0, isMarked: false) },
      "load.cached": { action in
        let cover = try url("Library/Caches/cover.png", action)
        if Fault.kind == .readsBlindly { _ = try Data(contentsOf: cover) }
      },
      "save.temporary": { try Data(count: 3).write(to: $0.container.temporary.file("part")) },
      "delete.temporary": { action in
        let part = action.container.temporary.file("part")
        // iOS may have deleted the file since.
        guard Fault.kind != .leavesScratch, FileManager.default.fileExists(atPath: part.path) else {
          return
        }
        try FileManager.default.removeItem(at: part)
      },
    ]
  }

  private static func url(_ path: String, _ action: ActionCall) throws -> URL {
    try Place.root(action.container).appendingPathComponent(path)
  }

  /// Saves a file, and creates the directory above it.
  private static func save(_ path: String, _ action: ActionCall, isMarked: Bool) throws {
    let url = try url(path, action)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("[]".utf8).write(to: url, options: .atomic)
    if isMarked { try url.excludeFromBackup() }
  }

  /// Saves and marks a file that the app can download again.
  private static func saveMarked(_ path: String, _ action: ActionCall) throws {
    let isNew = !FileManager.default.fileExists(atPath: try url(path, action).path)
    try save(path, action, isMarked: isNew || Fault.kind != .marksOnce)
  }

  /// Downloads a missing file again, and marks the file in any case.
  ///
  /// If iOS killed the app before it marked the file, the mark is missing.
  private static func saveIfMissing(_ path: String, _ action: ActionCall) throws {
    let item = try url(path, action)
    guard FileManager.default.fileExists(atPath: item.path) else {
      return try save(path, action, isMarked: true)
    }
    try item.excludeFromBackup()
  }
}

/// The state that `ShelfApp` checks at its launch.
enum ShelfStart {
  /// Counts the launches in this process.
  static let count = Counter()

  /// The error if the app does not run in a new process of its own.
  struct NotOfItsOwn: Error {}
}
#endif
