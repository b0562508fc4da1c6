#if os(macOS) || os(Linux)
import BackupFileTree
import Foundation
import TestSupport
import Testing

@testable import BackupContainer
@testable import BackupScenarios

/// The tap (`FileSystemTap`) logs the changes of real programs.
@Suite(.enabled(if: TapTrial.isTapAvailable, "there is no such library on this platform"))
struct TapTests {
  let trial: TapTrial

  init() throws {
    trial = try TapTrial()
  }

  @Test func `the changes of programs are logged in order`() async throws {
    try await trial.run(
      """
      mkdir -p a/b
      echo hello > a/x; echo more >> a/x; : > a/x
      ln a/x a/y; ln -s x a/z; mv a/y a/b/w; mv a/b b; rm b/w; rmdir b
      """)
    #expect(
      try trial.lines() == [
        "createDirectory a", "createDirectory a/b", "create a/x", "write a/x 0+6",
        "write a/x 6+5", "resize a/x 0", "addPath a/y of a/x", "link a/z x", "rename a/y a/b/w",
        "rename a/b b", "remove b/w", "removeDirectory b",
      ])
    #expect(try trial.replayed() == trial.contents())
  }

  @Test func `each process numbers its changes from 1`() async throws {
    try await trial.run("echo > own; mkdir a; mkdir b c; (echo > d)")
    let log = try Data(contentsOf: trial.log)
    // A record has its length at byte 8, its process at byte 16 and its number at byte 20.
    func number(at offset: Int) -> UInt32 {
      log.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }
    var (start, processes, numbers): (Int, Set<UInt32>, [UInt32]) = (0, [], [])
    while start < log.count {
      processes.insert(number(at: start + 16))
      numbers.append(number(at: start + 20))
      start += Int(number(at: start + 8))
    }
    #expect(numbers == [1, 2, 1, 1, 2, 1, 2])
    #expect(processes.count == 4)
    #expect(try trial.replayed() == trial.contents())
  }

  @Test func `a logged path has no link, except as its last component`() async throws {
    try await trial.run(
      "mkdir a; ln -s a b; cd b; echo 1 > ../b/./x; ln -s x y; echo 2 > y; rm y; ln -s new z; "
        + "echo 3 > z; rm ../b")
    #expect(
      try trial.lines() == [
        "createDirectory a", "link b a", "create a/x", "write a/x 0+2", "link a/y x",
        "resize a/x 0", "write a/x 0+2", "remove a/y", "link a/z new", "create a/new",
        "write a/new 0+2", "remove b",
      ])
    #expect(try trial.replayed() == trial.contents())
  }

  @Test func `changes outside are not logged, and a file from outside is a copy`()
    async throws
  {
    try trial.folder.write("text", to: "out/in")
    try trial.folder.write("text", to: "out/linked")
    try await trial.run(
      "echo > ../out/x; mv ../out/in in; ln ../out/linked linked; echo > a; mv a ../out/a; "
        + "mkdir d; mv d ../out/d; echo > ../rooted")
    #expect(
      try trial.lines() == [
        "create in", "copy in 0+4", "create linked", "copy linked 0+4", "create a", "write a 0+1",
        "remove a", "createDirectory d", "unseen d",
      ])
  }

  @Test func `writes through a descriptor have the file's current path`() async throws {
    try await trial.run("exec > a; echo 1; mv a b; echo 2; rm b; echo 3")
    #expect(
      try trial.lines() == [
        "create a", "write a 0+2", "rename a b", "write b 2+2", "remove b",
      ])
  }

  @Test func `calls that fail are not among the changes`() async throws {
    try await trial.run("mkdir a a/b; rmdir a; mkdir a; ln a/b c; rm nothing; echo > a/b")
    #expect(try trial.lines() == ["createDirectory a", "createDirectory a/b"])
    let bytes = try Data(contentsOf: trial.log)
    #expect(bytes.contains(Data("root/a".utf8)))
  }

  @Test func `many zeros take little room in the log`() async throws {
    try await trial.run("dd if=/dev/zero of=zeros bs=1000000 count=20")
    #expect(try trial.replayed() == trial.contents())
    #expect(try Data(contentsOf: trial.log).count < 10_000)
  }

  @Test func `a copy has the same bytes, whichever call made it`() async throws {
    let bytes = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 / 7) })
    try trial.folder.write(bytes, to: "out/bytes")
    try await trial.run("cp ../out/bytes a; cp a b; cat a > c")
    #expect(try trial.contents().count == 3)
    let isSeen = try trial.changes().allSatisfy { $0.kind != nil }
    #expect(try !isSeen || trial.replayed() == trial.contents())
  }

  @Test func `the tap kills a process before a given change`() async throws {
    let script = "echo 1 > a; echo 2 >> a; : > a; echo 3 > b; echo 4 > c"
    for number in 1...8 {
      let trial = try TapTrial()
      #expect(try await trial.run(script, killedBefore: number) == .signal(SIGKILL))
      #expect(try trial.changes().count == number - 1)
      #expect(try trial.replayed() == trial.contents(), "before \(number)")
    }
    #expect(try await trial.run(script, killedBefore: 9) == .exited(0))
  }

  @Test func `without a log or a folder, nothing is logged`() async throws {
    try await trial.run("unset BACKUP_TESTING_TAP_LOG; mkdir a; sh -c 'echo > b'")
    try await trial.run("unset BACKUP_TESTING_TAP_ROOTS; mkdir c; sh -c 'echo > d'")
    #expect(try trial.changes() == [])
    #expect(try trial.contents().count == 4)
  }

  @Test func `the tap is not linked into the test's own process`() throws {
    #expect(try #require(TapLibrary.find()).isLinked == false)
  }
}
#endif
