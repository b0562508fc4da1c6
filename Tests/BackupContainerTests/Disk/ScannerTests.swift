import Foundation
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// The scanner reads every kind of item that a disk can hold.
@Suite struct ScannerTests {
  private let container: FakeContainer

  init() throws {
    container = try FakeContainer()
  }

  private func diskPath(_ path: ContainerPath) -> DiskPath {
    DiskPath(path, in: container.roots)
  }

  /// Makes a link to any target, also outside of the container.
  private func makeLink(_ path: ContainerPath, to target: String) throws {
    try #require(symlink(target, diskPath(path).characters) == 0)
  }

  @Test func `a scan succeeds while an item keeps changing its kind`() throws {
    let item = diskPath("Documents/item")
    let (isDone, hasEnded) = (Locked(false), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      while !isDone.withLock(\.self) {
        symlink("nowhere", item.characters)
        unlink(item.characters)
        mkdir(item.characters, 0o755)
        rmdir(item.characters)
        close(open(item.characters, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644))
        unlink(item.characters)
      }
      hasEnded.signal()
    }
    for _ in 0..<500 {
      #expect(throws: Never.self) { try container.scan() }
    }
    isDone.withLock { $0 = true }
    hasEnded.wait()
  }

  @Test(arguments: ["/", "/etc/passwd", "..", "../..", ".", "loop", "nowhere"])
  func `a link is never followed, wherever it leads`(target: String) throws {
    try makeLink("Documents/loop", to: target)
    let item = try container.scan()["Documents/loop"]
    #expect(item?.kind == .link(target: Array(target.utf8)))
    #expect(item?.marks == [])
  }

  @Test func `a link as long as the system allows is read whole`() throws {
    let target = String(repeating: "t", count: 1_023)
    try makeLink("tmp/l", to: target)
    #expect(try container.scan()["tmp/l"]?.kind == .link(target: Array(target.utf8)))
  }

  @Test func `the names in a directory are not read through a link to it`() throws {
    try container.apply(.save("Documents/a"))
    try makeLink("tmp/l", to: container.documents.path)
    #expect(throws: SystemError.self) { try diskPath("tmp/l").names() }
    #expect(try diskPath("Documents").names() == [Array("a".utf8)])
  }

  @Test func `a date centuries away is still after 1970`() throws {
    try container.apply(.save("tmp/a"))
    let times = [timespec](repeating: timespec(tv_sec: 15_000_000_000, tv_nsec: 0), count: 2)
    try #require(utimensat(AT_FDCWD, diskPath("tmp/a").characters, times, 0) == 0)
    let modified = try #require(try container.scan()["tmp/a"]?.observation.modified)
    #expect(modified > 0)
  }

  @Test func `pipes and sockets are special and not opened`() throws {
    try #require(mkfifo(diskPath("tmp/pipe").characters, 0o644) == 0)
    try #require(mkfifo(diskPath("tmp/pipe.db").characters, 0o644) == 0)
    try container.apply(.save("tmp/pipe.db-wal"))
    let tree = try container.scan(.allHeaders)
    #expect(tree["tmp/pipe"]?.kind == .special)
    #expect(tree["tmp/pipe.db"]?.kind == .special)
  }

  @Test func `names of any bytes are kept as they are`() throws {
    var names: [[UInt8]] = [
      [0x01], [0x0A], Array("%s".utf8), Array("\u{E9}".utf8), [UInt8](repeating: 0x6E, count: 255),
    ]
    if !container.volumeTraits.contains(.requiresUTF8) { names += [[0xC3], [0xFF, 0xFE]] }
    if !container.volumeTraits.contains(.ignoresNormalization) {
      names.append(Array("e\u{301}".utf8))
    }
    for name in names {
      try container.apply(.save(ContainerPath(bytes: Array("tmp/".utf8) + name)))
    }
    let found = try container.scan()["tmp"]?.children.entries.map(\.name.bytes) ?? []
    #expect(Set(found) == Set(names))
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.precedesBytewise($1) })
  }

  @Test(
    .enabled(if: Int(PATH_MAX) > 2 * ContainerPath.longestPath, "the system takes no such path"))
  func `an item at too long a path is unreadable, and items beside it are read`() throws {
    var path = diskPath("tmp")
    for _ in 0..<5 {
      path.append([UInt8](repeating: 0x6E, count: 210))
      try path.makeDirectory()
    }
    try container.apply(.save("tmp/beside"))
    let tree = try container.scan()
    let unreadable = tree.paths.filter { $0.bytes.count > ContainerPath.longestPath }
    try #require(unreadable.count == 1)
    guard case .unreadable(let reason) = tree[unreadable[0]]?.kind else {
      Issue.record("it was read")
      return
    }
    #expect(reason == SystemError(ENAMETOOLONG).description)
    #expect(tree.contains("tmp/beside"))
  }

  @Test func `marks are found among many attributes`() throws {
    try container.apply(.save("tmp/a"))
    try container.apply(.mark("tmp/a"))
    for number in 0..<40 {
      try diskPath("tmp/a").setAttribute("another.\(number)", to: [1])
    }
    #expect(try container.scan()["tmp/a"]?.marks == .resourceValue)
  }

  @Test(.enabled(if: (try? FakeContainer(in: URL(filePath: "/dev/shm"))) != nil))
  func `marks are found in a list of names longer than the buffer`() throws {
    let container = try FakeContainer(in: URL(filePath: "/dev/shm"))
    try container.apply(.save("tmp/a"))
    let path = DiskPath("tmp/a", in: container.roots)
    let padding = String(repeating: "n", count: 200)
    for number in 0..<60 {
      try path.setAttribute("\(padding)\(number)", to: [])
    }
    try container.apply(.setMark(.extendedAttribute, on: "tmp/a", to: true))
    let tree = try container.scan()
    #expect(tree["tmp/a"]?.marks == .extendedAttribute)
    #expect(tree["tmp"]?.marks == [])
  }

  @Test func `an attribute whose name only resembles a mark's name is no mark`() throws {
    for name in ["com.apple.MobileBackup2", "com.apple.MobileBacku", "x.com.apple.MobileBackup"] {
      try diskPath("tmp").setAttribute(name, to: [1])
    }
    #expect(try container.scan()["tmp"]?.marks == [])
  }

  @Test func `items that vanish during a scan are left out`() async throws {
    let container = container
    let writer = Task {
      while !Task.isCancelled {
        try container.apply(.createDirectory("tmp/d/e", intermediates: true))
        try container.apply(.save("tmp/d/e/a"))
        try container.apply(.remove("tmp/d"))
      }
    }
    var (scansWithFile, scansWithoutFile) = (0, 0)
    while scansWithFile < 20 || scansWithoutFile < 20 {
      let tree = try container.scan(.allHeaders)
      tree.walk { path, item in
        if case .unreadable(let reason) = item.kind { Issue.record("\(path): \(reason)") }
        return true
      }
      if tree.contains("tmp/d/e/a") { scansWithFile += 1 } else { scansWithoutFile += 1 }
      await Task.yield()
    }
    writer.cancel()
    try await writer.value
  }

  @Test func `an item keeps its identity through moves and loses it when replaced`() throws {
    try container.apply(.save("tmp/a"))
    try diskPath("tmp/a").write(stamp: .max - 1)
    #expect(try container.scan()["tmp/a"]?.observation.identity == .max - 1)
    #expect(try container.scan()["tmp/a"]?.marks == [])
    try container.apply(.move("tmp/a", to: "tmp/b", replacing: false))
    #expect(try container.scan()["tmp/b"]?.observation.identity == .max - 1)
    try container.apply(.save("tmp/b"))
    #expect(try container.scan()["tmp/b"]?.observation.identity == 0)
  }

  @Test func `a scan by paths finds the same marks and stamps`() throws {
    for path in ["Documents/a", "tmp/b", "Library/Application Support/c/d"] as [ContainerPath] {
      let parent = try #require(path.parent)
      try container.apply(.createDirectory(parent, intermediates: true))
      try container.apply(.save(path))
      try container.apply(.setMark(.extendedAttribute, on: path, to: true))
    }
    try container.apply(.mark("tmp"))
    _ = try container.scan().stampItems(in: container.roots)
    let usualTree = try container.scan()
    let treeByPath = try Scanner.scan(container.roots, .attributesByPath)
    #expect(usualTree == treeByPath)
    for path in usualTree.paths {
      #expect(usualTree[path]?.stamp != 0, "\(path)")
      #expect(usualTree[path]?.stamp == treeByPath[path]?.stamp, "\(path)")
    }
    #expect(
      usualTree["tmp"]?.marks == .resourceValue && usualTree["tmp/b"]?.marks == .extendedAttribute)
  }

  @Test(arguments: [0, 7, 9, 300])
  func `a stamp of another length is not the kit's`(count: Int) throws {
    try container.apply(.save("tmp/a"))
    let value = [UInt8](repeating: 1, count: count)
    try diskPath("tmp/a").setAttribute(DiskPath.stampName, to: value)
    #expect(try container.scan()["tmp/a"]?.stamp == 0)
    #expect(try container.scan()["tmp/a"]?.isUnreadable == false)
  }

  @Test func `a hard link shares the mark`() throws {
    try container.apply(.save("tmp/a"))
    try #require(Foundation.link(diskPath("tmp/a").characters, diskPath("tmp/b").characters) == 0)
    try container.apply(.mark("tmp/b"))
    #expect(try container.scan()["tmp/a"]?.marks == .resourceValue)
  }

  @Test func `headers are read only beside a database's files`() throws {
    let database = FileOperation.Contents.bytes(FileOperation.Contents.databaseHeader)
    for path in ["tmp/a.db", "tmp/b.db"] as [ContainerPath] {
      try container.apply(.write(path, database, method: .inPlace))
    }
    try container.apply(.save("tmp/a.db-wal"))
    let tree = try container.scan()
    #expect(tree["tmp/a.db"]?.kind == .file(.init(size: 16, isDatabase: true)))
    #expect(tree["tmp/b.db"]?.kind == .file(.init(size: 16, isDatabase: false)))
  }
}
