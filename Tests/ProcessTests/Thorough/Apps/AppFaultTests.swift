#if os(macOS) || os(Linux)
import BackupContainer
import BackupDiagnostics
import BackupFileTree
import CBackupProcess
import Foundation
import TestSupport
import Testing

@testable import BackupApp
@testable import BackupTesting

/// An app whose actions use the kit while the process may open few files or has no standard
/// streams.
enum FewResourcesApp: AppUnderTest {
  static let actions: AppActions = [
    "watchWithoutFiles": { action in
      let folder = try TestFolder()
      let process = try await AppProcess(AppCommand(["/bin/sleep", "300"], in: folder))
      #expect(await process.waitUntilQuiet() == .quiet)
      // This closure must not wait, because Dispatch may need a file descriptor for that.
      let error = await withFiles(3) {
        var activity = cpr_activity()
        let error = process.readActivity(&activity)
        process.end()
        return error
      }
      #expect(error == EMFILE)
      #expect(VisibleProcesses.working(in: folder.path) == [])
    },
    "readWithoutFiles": { _ in
      let container = try FakeContainer()
      let path = try ContainerPath("Documents/a")
      try Data([1]).write(to: container.url.appendingPathComponent("Documents/a"))
      let tree = try container.scan()
      let readings: [() throws -> Void] = [
        { _ = try container.bytes(of: path) },
        { _ = try container.filesHoldingOwnPath(among: [path], searching: 9) },
        { _ = try container.holds([1], in: path, searching: 9) },
        { _ = try container.addingChecksums(to: tree, known: FileTree()) },
      ]
      for reading in readings {
        let error = await withFiles(3) { #expect(throws: RunError.self, performing: reading) }
        #expect(error?.isMachineFault == true)
      }
      try container.remove()
    },
    "startWithFewFiles": { _ in
      let folder = try TestFolder()
      let error = await withFiles(200) {
        await #expect(throws: AppFailure.self) {
          try await AppProcess(AppCommand(["/bin/sleep", "300"], in: folder))
        }
      }
      let text = error?.description ?? ""
      #expect(text.contains("descriptor 200") && text.contains("only 200 files open"))
      #expect(text.contains("'ulimit -n'"))
    },
    "startWithoutStreams": { _ in
      let folder = try TestFolder()
      let recipe = try #require(AppRecipe.ofThisProcess())
      let command = AppCommand(
        recipe, variables: [:], directory: folder.path, output: folder.openOutput())
      for stream: Int32 in 0...2 { close(stream) }
      let process = try await AppProcess(command)
      let greeting = try await process.message(within: nil).get()
      #expect(String(decoding: greeting, as: UTF8.self).contains("processName"))
      #expect((0...2).allSatisfy { fcntl($0, F_GETFD) == -1 })
      process.end()
      #expect(try String(contentsOf: folder.url("output"), encoding: .utf8) == "")
    },
  ]

  /// The value of Linux's `RLIMIT_NOFILE`, which does not have the type of the calls' parameter.
  private static let openFiles: Int32 = 7

  /// Calls a closure while this process may open at most `count` files.
  private static func withFiles<Result>(
    _ count: rlim_t, _ body: () async -> Result
  ) async -> Result {
    var former = rlimit()
    getrlimit(openFiles, &former)
    var few = rlimit(rlim_cur: count, rlim_max: former.rlim_max)
    setrlimit(openFiles, &few)
    defer { setrlimit(openFiles, &former) }
    return await body()
  }
}

extension AppCommand {
  /// A program with its arguments, which prints to the file `output` in the folder.
  init(_ words: [String], variables: [Data] = [], in folder: TestFolder) {
    self.init(
      AppRecipe(
        executable: Data(words[0].utf8), arguments: words.map { Data($0.utf8) },
        environment: variables),
      variables: ["ADDED": "yes"], directory: folder.path, output: folder.openOutput())
  }
}

/// If the machine lacks something, an error says so. The kit does not take the app for quiet or
/// gone.
struct AppFaultTests {
  /// Performs an action of `FewResourcesApp`. Expectations in the action fail this test.
  private func perform(_ name: String) async throws {
    let app = try await FakeContainer.taskLocal?.launch(FewResourcesApp.self)
    try await #require(app).perform(name)
  }

  @Test(.container, .enabled(if: VisibleProcesses.canFindDaemons))
  func `an app that cannot be watched is neither quiet nor gone`() async throws {
    try await perform("watchWithoutFiles")
  }

  @Test func `a time limit does not kill an app for which nobody waits`() async throws {
    let folder = try TestFolder()
    let (ownEnd, appEnd) = try AppChannel.makePair()
    let life = AppLife(
      try AppCommand(["/bin/sleep", "300"], in: folder).start(with: appEnd), ownEnd)
    life.killUnlessAnswered()
    life.kill(because: .endedBySystem)
    life.waitForExit()
    life.reap()
    #expect(await withCheckedContinuation { life.addWaiter($0) } == .failure(.endedBySystem))
  }

  @Test func `an app that cannot be watched is unseen, and one that is gone is quiet`() async throws
  {
    let folder = try TestFolder()
    let process = try await AppProcess(AppCommand(["/bin/sleep", "300"], in: folder))
    #expect(await process.waitUntilQuiet { _ in EACCES } == .readingFailed(EACCES))
    #expect(await process.waitUntilQuiet { _ in ESRCH } == .quiet)
    var readCount = 0
    let activity = await process.waitUntilQuiet { activity in
      readCount += 1
      activity.running = 0
      return readCount < 3 ? ENOMEM : 0
    }
    #expect(activity == .quiet && readCount == 4)
  }

  @Test(.container, .enabled(if: VisibleProcesses.canFindDaemons))
  func `without descriptors, reading a file is an error of the machine`()
    async throws
  {
    try await perform("readWithoutFiles")
  }

  @Test(.container, .enabled(if: VisibleProcesses.canFindDaemons))
  func `the error on too few descriptors says how to allow more`() async throws {
    try await perform("startWithFewFiles")
  }

  @Test(.container) func `standard streams may be closed`() async throws {
    try await perform("startWithoutStreams")
  }

  @Test func `variables that are not UTF-8 are passed on unchanged`() async throws {
    let folder = try TestFolder()
    let odd = Data("ODD=".utf8) + [0xff, 0x3d, 0xfe]
    let command = AppCommand(
      ["/bin/sh", "-c", "printf %s%s \"$ODD\" \"$ADDED\""],
      variables: [odd, Data("ADDED=no".utf8)],
      in: folder)
    let process = try await AppProcess(command)
    #expect(await process.message(within: nil) == .failure(.exited(0)))
    #expect(try Data(contentsOf: folder.url("output")) == [0xff, 0x3d, 0xfe] + Data("yes".utf8))
    #expect(AppRecipe(printed: Data(command.recipe.outputLine.utf8)) == command.recipe)
  }

  @Test func `of a long output, the end is kept, after the size of the rest`() throws {
    let folder = try TestFolder()
    let lines = String(repeating: "line\n", count: 20_000) + "the end\n"
    let file = folder.url("output")
    try folder.write("", to: "output")
    let handle = try FileHandle(forWritingTo: file)
    try handle.seek(toOffset: 1 << 40)
    try handle.write(contentsOf: Data(lines.utf8))
    try handle.close()
    let text = AppOutput(file: try FileHandle(forReadingFrom: file), launchNumber: 1).text
    #expect(text.hasPrefix("(the first 1.1 TB are not shown)\n"))
    #expect(text.hasSuffix("line\nthe end") && text.utf8.count < 70_000)
  }

  @Test func `the text of an unreadable output says so`() throws {
    let folder = try TestFolder(["output": "line\n"])
    let handle = try FileHandle(forWritingTo: folder.url("output"))
    #expect(AppOutput(file: handle, launchNumber: 1).text.hasPrefix("its output cannot be read: "))
  }
}
#endif
