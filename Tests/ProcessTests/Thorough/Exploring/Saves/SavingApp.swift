#if os(macOS) || os(Linux)
import BackupTesting
import Foundation
import Testing

/// An app with an action for each kind of save with Foundation, SQLite or the C library.
enum SavingApp: AppUnderTest {
  static func launch(_ launch: AppLaunch) async throws {
    // These files exist so that actions can overwrite, move, copy and remove them.
    let folder = launch.container.documents.folder("folder")
    guard !folder.isThere else { return }
    try folder.folder("inner").makeFolder()
    for name in ["a", "b", "inner/c"] { try bytes(3000).write(to: folder.file(name)) }
  }

  static let actions: AppActions = [
    "atomic, new": { try bytes(5000).write(to: $0.file("new"), options: .atomic) },
    "atomic, over": { try bytes(5000).write(to: $0.file("folder/a"), options: .atomic) },
    "in place": { try bytes(500).write(to: $0.file("folder/a")) },
    "createDirectory": { try $0.container.documents.folder("one/two").makeFolder() },
    "another order each time": { action in
      for name in Array("abcdefgh").shuffled() {
        try bytes(5).write(to: action.file("\(name)"))
      }
    },
    "a folder with a random name": { action in
      let folder = action.container.temporary.folder(UUID().uuidString)
      try folder.makeFolder()
      try bytes(5).write(to: folder.file("draft"))
      try FileManager.default.moveItem(at: folder.file("draft"), to: action.file("new"))
      try FileManager.default.removeItem(at: folder)
    },
    "createFile": { action in
      let file = action.file("new")
      guard FileManager.default.createFile(atPath: file.path, contents: bytes(9000)) else {
        throw CocoaError(.fileWriteUnknown)
      }
    },
    "moveItem": {
      try FileManager.default.moveItem(at: $0.file("folder"), to: $0.file("moved"))
    },
    "copyItem, file": {
      try FileManager.default.copyItem(at: $0.file("folder/a"), to: $0.file("copy"))
    },
    "copyItem, directory": {
      try FileManager.default.copyItem(at: $0.file("folder"), to: $0.file("copy"))
    },
    "removeItem": { try FileManager.default.removeItem(at: $0.file("folder")) },
    "replaceItemAt": {
      try bytes(700).write(to: $0.file("new"))
      _ = try FileManager.default.replaceItemAt($0.file("folder/a"), withItemAt: $0.file("new"))
    },
    "links": {
      try FileManager.default.createSymbolicLink(
        at: $0.file("symbolic"), withDestinationURL: $0.file("folder/a"))
      try FileManager.default.linkItem(at: $0.file("folder/a"), to: $0.file("hard"))
    },
    "FileHandle": { action in
      let file = try FileHandle(forUpdating: action.file("folder/a"))
      try file.seekToEnd()
      try file.write(contentsOf: bytes(10))
      try file.seek(toOffset: 5)
      try file.write(contentsOf: bytes(10))
      try file.truncate(atOffset: 2000)
      try file.close()
    },
    "SQLite, rollback": {
      try WordDatabase($0.file("words.sqlite"), journal: "DELETE").add("word")
    },
    "SQLite, WAL, closed": {
      try WordDatabase($0.file("words.sqlite"), journal: "WAL").add("word")
    },
    "SQLite, WAL, open": {
      openDatabase = try WordDatabase($0.file("words.sqlite"), journal: "WAL")
      try openDatabase?.add("word")
    },
    "stdio": { action in
      let file = fopen(action.file("folder/a").path, "r+")
      fputs("some text", file)
      fclose(file)
    },
    "unnamed file": { action in
      // O_TMPFILE
      let descriptor = open(action.container.documents.path, 0o20200000 | O_RDWR, 0o600)
      #expect(write(descriptor, "some text", 9) == 9)
      let path = "/proc/self/fd/\(descriptor)"
      #expect(linkat(AT_FDCWD, path, AT_FDCWD, action.file("linked").path, AT_SYMLINK_FOLLOW) == 0)
      close(descriptor)
    },
    "moved in": { action in
      let outside = action.container.url.deletingLastPathComponent().appending(path: "outside")
      try bytes(600_000).write(to: outside)
      try FileManager.default.moveItem(at: outside, to: action.file("in"))
    },
    "shared mapping": { action in
      let memory = try map(action, 3000)
      memset(memory, 7, 100)
      munmap(memory, 3000)
    },
    "shared mapping, kept": { action in memset(try map(action, 3000) + 10, 7, 100) },
    "shared mapping, in part": { action in
      let memory = try map(action, 20_000)
      munmap(memory + 4096, 4096)
      memset(memory, 7, 100)
      munmap(memory, 4096)
    },
    "child process": { try run("echo text > new; mv new moved", $0) },
    "child process with an environment of its own": {
      try run("echo text > new", $0, environment: ["PATH": "/usr/bin:/bin"])
    },
    "defaults": { _ in UserDefaults.standard.set("text", forKey: "key") },
  ]

  /// A database that stays open after its action.
  private nonisolated(unsafe) static var openDatabase: WordDatabase?

  /// Bytes with different values.
  private static func bytes(_ count: Int) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 / 3) })
  }

  /// Maps the file `folder/a` into memory for writing.
  private static func map(_ action: ActionCall, _ length: Int) throws -> UnsafeMutableRawPointer {
    let descriptor = open(action.file("folder/a").path, O_RDWR)
    defer { close(descriptor) }
    guard let memory = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      memory != MAP_FAILED
    else { throw CocoaError(.fileReadUnknown) }
    return memory
  }

  /// Runs a shell script in Documents with `posix_spawn`, as Foundation's `Process` does.
  private static func run(
    _ script: String, _ action: ActionCall,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    let words = ["sh", "-c", "cd \"$0\" && { \(script); }", action.container.documents.path]
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var (process, status) = (pid_t(), Int32(0))
    guard posix_spawn(&process, "/bin/sh", nil, nil, &arguments, &variables) == 0,
      waitpid(process, &status, 0) == process, status == 0
    else { throw CocoaError(.executableLoad) }
  }
}

extension ActionCall {
  fileprivate func file(_ name: String) -> URL { container.documents.file(name) }
}
#endif
