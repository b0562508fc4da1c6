#if os(macOS) || os(Linux)
import CBackupProcess
import Foundation
import TestSupport
import Testing

@testable import BackupApp
@testable import BackupTesting

/// A fork server forks the app's processes. It is a process that has already loaded the libraries.
@Suite(.enabled(if: ForkServerApp.canFork)) struct ForkServerTests {
  /// Launches the app `count` times, and returns facts about the start of each process.
  ///
  /// The kit uses the variables `environment` as those of the test's process.
  private func startFacts(
    _ count: Int, environment: [String: String] = [:]
  ) async throws -> [StartFactsApp.Facts] {
    let folder = try TestFolder()
    let steps = (0..<count).map { number in
      "{ perform: 'note', with: { path: '\(folder.path)/\(number)' } }, { relaunch: {} }"
    }
    let trial = try await AppTrial(StartFactsApp.self, steps, environment: environment)
    #expect(trial.errors.isEmpty && trial.failure == nil)
    return try (0..<count).map { number in
      try JSONDecoder().decode(
        StartFactsApp.Facts.self, from: Data(contentsOf: folder.url.file("\(number)")))
    }
  }

  @Test func `one fork server starts all processes, with different seeds of hash values`()
    async throws
  {
    let startFacts = try await startFacts(3)
    #expect(startFacts.allSatisfy { $0.loaderFacts == startFacts[0].loaderFacts })
    #expect(Set(startFacts.map(\.process)).count == 3)
    #expect(Set(startFacts.map(\.hash)).count > 1)
  }

  @Test func `with BACKUP_TESTING_FORK=off, each process starts by itself, as forked ones do`()
    async throws
  {
    let others = try await startFacts(2, environment: ["BACKUP_TESTING_FORK": "off"])
    #expect(others[0].loaderFacts != others[1].loaderFacts)
    let forked = try #require(try await startFacts(1).first)
    #expect(forked.signals == others[0].signals && forked.signals?.count == 2)
    #expect(Set(forked.variables.keys) == Set(others[0].variables.keys))
  }

  @Test func `the system shows the group, the variables and the directory of a forked process`()
    async throws
  {
    for start in try await startFacts(2) {
      #expect(start.parent != getpid() && start.parent > 1)
      #expect(start.group == start.process)
      #expect(start.input == "/dev/null")
      #expect(start.variables["HOME"] == start.directory)
      #expect(start.variables["__CFPREFERENCES_AVOID_DAEMON"] == "1")
      // The test library has removed some variables since the start.
      let ownVariables = Set(start.variables.map { "\($0.key)=\($0.value)" })
      #expect(start.shownVariables.isSuperset(of: ownVariables))
      #expect(!start.shownVariables.contains { $0.hasPrefix("ROOM") })
      #expect(!start.recipeHasEmptyVariables)
    }
  }

  @Test func `the fork server does not start a process with too many variables`() throws {
    let folder = try TestFolder()
    let (ownEnd, appEnd) = try AppChannel.makePair()
    let command = AppCommand(
      try #require(AppRecipe.ofThisProcess()),
      variables: ["VARIABLE": String(repeating: "x", count: 70_000)],
      directory: folder.path, output: folder.openOutput())
    #expect(ForkServer.fork(command, printingTo: 1, appEnd) == nil)
    withExtendedLifetime(ownEnd) {}
  }

  @Test func `the recipe of a forked process has no variables without a name`() async throws {
    let startFacts = try await startFacts(1)
    #expect(startFacts.map(\.recipeHasEmptyVariables) == [false])
  }

  @Test func `the fork server does not start another program`() throws {
    let folder = try TestFolder()
    let (ownEnd, appEnd) = try AppChannel.makePair()
    let command = AppCommand(["/bin/sleep", "300"], in: folder)
    #expect(ForkServer.fork(command, printingTo: 1, appEnd) == nil)
    withExtendedLifetime(ownEnd) {}
  }
}
#endif
