#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// Habits of real apps with paths and directories. Some habits are right, and some are wrong.
enum PathHabitApp: AppUnderTest {
  /// A habit: code that saves a file, and code that later uses the file.
  struct Habit: Sendable {
    let save: @Sendable (AppDirectory) throws -> Void
    let use: @Sendable (AppDirectory) throws -> Void
  }

  /// The directories of the app.
  struct AppDirectory: Sendable {
    let home: URL
    var documents: URL { home.appendingPathComponent("Documents", isDirectory: true) }
    var caches: URL { home.appendingPathComponent("Library/Caches", isDirectory: true) }

    /// Saves a photo, and returns its location.
    func savePhoto() throws -> URL {
      let folder = documents.appendingPathComponent("Photos", isDirectory: true)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appendingPathComponent("photo.jpg")
      try Data("JFIF".utf8).write(to: file, options: .atomic)
      return file
    }
  }

  /// Habits that are errors.
  static let wrong: [String: Habit] = [
    "an avatar's path in the defaults, shown if it is there": Habit(
      save: { UserDefaults.standard.set(try $0.savePhoto().path, forKey: "avatar") },
      use: { _ in
        guard let path = UserDefaults.standard.string(forKey: "avatar") else { return }
        _ = FileManager.default.contents(atPath: path)
      }),
    "a file of the Inbox edited where it is": Habit(
      save: { _ in },
      use: { directory in
        let file = directory.documents.appendingPathComponent("Inbox/letter.txt")
        var text = try String(contentsOf: file, encoding: .utf8)
        text += "Yours"
        try text.write(to: file, atomically: true, encoding: .utf8)
      }),
  ]

  /// Habits that store an absolute path and never use it.
  static let stored: [String: Habit] = Dictionary(
    uniqueKeysWithValues: ["DELETE", "WAL"].map { journal in
      (
        "a path in SQLite by \(journal)",
        Habit(
          save: { directory in
            let database = try WordDatabase(
              directory.documents.appendingPathComponent("paths.db"), journal: journal)
            try database.add(try directory.savePhoto().path)
          },
          use: { _ in })
      )
    })

  /// Habits without an error.
  static let right: [String: Habit] = [
    "a name in the defaults, found in Documents": Habit(
      save: { UserDefaults.standard.set(try $0.savePhoto().lastPathComponent, forKey: "avatar") },
      use: { directory in
        guard let name = UserDefaults.standard.string(forKey: "avatar") else { return }
        let file = directory.documents.appendingPathComponent("Photos/\(name)")
        guard FileManager.default.contents(atPath: file.path) != nil else {
          throw CocoaError(.fileReadNoSuchFile)
        }
      }),
    "a log of each photo's whole path": Habit(
      save: { directory in
        let line = "saved \(try directory.savePhoto().path)\n"
        let logs = directory.home.appendingPathComponent("Library/Logs", isDirectory: true)
        try FileManager.default.createDirectory(at: logs, withIntermediateDirectories: true)
        try Data(line.utf8).write(to: logs.appendingPathComponent("today.txt"))
        try Data(line.utf8).write(to: directory.documents.appendingPathComponent("trace.log"))
      },
      use: { directory in
        _ = try String(
          contentsOf: directory.documents.appendingPathComponent("trace.log"), encoding: .utf8)
      }),
    "a cache of thumbnails by whole paths, made again": Habit(
      save: { directory in
        let photo = try directory.savePhoto()
        try Data(photo.path.utf8).write(to: directory.caches.appendingPathComponent("index"))
      },
      use: { directory in
        let index = directory.caches.appendingPathComponent("index")
        let known = (try? String(contentsOf: index, encoding: .utf8)) ?? ""
        if !FileManager.default.fileExists(atPath: known) {
          let photo = directory.documents.appendingPathComponent("Photos/photo.jpg")
          _ = try Data(contentsOf: photo)
          try Data(photo.path.utf8).write(to: index)
        }
      }),
    "a path of another device, of which the name counts": Habit(
      save: { directory in
        _ = try directory.savePhoto()
        let old = "/var/mobile/Containers/Data/Application/\(UUID().uuidString)/Documents/Photos"
        try Data("\(old)/photo.jpg".utf8).write(
          to: directory.documents.appendingPathComponent("imported.txt"))
      },
      use: { directory in
        let file = directory.documents.appendingPathComponent("imported.txt")
        let old = URL(fileURLWithPath: try String(contentsOf: file, encoding: .utf8))
        _ = try Data(
          contentsOf: directory.documents.appendingPathComponent("Photos")
            .appendingPathComponent(old.lastPathComponent))
      }),
    "a relative link to the current project": Habit(
      save: { directory in
        _ = try directory.savePhoto()
        try FileManager.default.createSymbolicLink(
          atPath: directory.documents.appendingPathComponent("Current").path,
          withDestinationPath: "Photos")
      },
      use: { directory in
        _ = try Data(contentsOf: directory.documents.appendingPathComponent("Current/photo.jpg"))
      }),
  ]

  static let actions: AppActions = [
    "save": { try habit($0).save(AppDirectory(home: $0.container.url)) },
    "use": { try habit($0).use(AppDirectory(home: $0.container.url)) },
  ]

  private static func habit(_ action: ActionCall) throws -> Habit {
    let name: String = try action.argument("habit")
    guard let habit = wrong[name] ?? stored[name] ?? right[name] else {
      throw CocoaError(.featureUnsupported)
    }
    return habit
  }
}
#endif
