#if os(macOS) || os(Linux)
import BackupTesting
import Foundation

/// An app that does what many apps do: it uses statics, queues, threads and preferences.
enum HabitsApp: AppUnderTest {
  /// The URL of Documents, in a list. The app looks it up once in each process.
  static let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)
  /// Counts the calls of the action `count` in this process.
  static let counter = Counter()

  static func launch(_ launch: AppLaunch) async throws {
    try Data("\(launch.launchCount)".utf8).write(to: launch.container.temporary.file("launched"))
  }

  static let actions: AppActions = [
    "save": { action in
      let name: String = try action.argumentIfPresent("name") ?? "list.json"
      try save(name)
    },
    "say": { action in print(try action.argument("words") as String) },
    "load": { _ in _ = try Data(contentsOf: folder().file("list.json")) },
    "count": { action in
      let count = counter.next()
      guard count == 1 else { throw CountError(count: count) }
    },
    "main": { _ in try await MainActor.run { try save("main") } },
    "queue": { _ in
      await withCheckedContinuation { done in
        DispatchQueue(label: "saving").async {
          try? save("queue")
          done.resume()
        }
      }
    },
    "detached": { _ in try await Task.detached { try save("detached") }.value },
    "thread": { _ in
      await withCheckedContinuation { done in
        Thread.detachNewThread {
          try? save("thread")
          done.resume()
        }
      }
    },
    "operation": { _ in
      await withCheckedContinuation { done in
        let queue = OperationQueue()
        queue.addOperation {
          try? save("operation")
          done.resume()
        }
      }
    },
    "scratch": { _ in
      try Data().write(to: FileManager.default.temporaryDirectory.file("scratch"))
      try Data().write(to: URL(fileURLWithPath: NSHomeDirectory()).file("Documents/home"))
    },
    "late": { _ in
      Thread.detachNewThread {
        usleep(5000)
        try? save("late")
      }
    },
    "saveWhenTold": { _ in
      Task.detached {
        while try !FileManager.default.fileExists(atPath: folder().file("told").path) {
          try await Task.sleep(for: .milliseconds(50))
        }
        try save("late")
      }
    },
    "endless": { _ in
      Thread.detachNewThread {
        for number in 0... {
          try? Data("\(number)".utf8).write(to: folder().file("endless"), options: .atomic)
        }
      }
    },
    "setDefault": { _ in
      UserDefaults.standard.set("yes", forKey: "seen")
      UserDefaults(suiteName: "other")?.set("yes", forKey: "seen")
    },
    "readDefault": { _ in
      guard UserDefaults.standard.string(forKey: "seen") == "yes" else {
        throw CocoaError(.coderValueNotFound)
      }
    },
    "note": { action in
      let path: String = try action.argument("path")
      let line = "\(getpid()) \(NSHomeDirectory()) \(action.container.url.path)\n"
      try Data(line.utf8).write(to: URL(fileURLWithPath: path))
    },
  ]

  static func save(_ name: String) throws { try Data("[]".utf8).write(to: folder().file(name)) }

  private static func folder() throws -> URL {
    guard let folder = documents.first else { throw CocoaError(.fileNoSuchFile) }
    return folder
  }

  /// The error of the action `count` if it is not the first one in this process.
  struct CountError: Error {
    let count: Int
  }
}

/// A counter that several threads can use.
final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0

  func next() -> Int {
    lock.withLock {
      number += 1
      return number
    }
  }
}

extension URL {
  func file(_ name: String) -> URL { appendingPathComponent(name, isDirectory: false) }
}
#endif
