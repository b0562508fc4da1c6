#if os(macOS) || os(Linux)
import CBackupProcess
import Foundation
import TestSupport
import Testing

@testable import BackupApp
@testable import BackupTesting

/// The app's processes are forked from one that has loaded its libraries, and are as any other.
@Suite(.enabled(if: ServedApp.areForked)) struct ForkServerTests {
  /// Starts the app some times, with these variables of the test's process, and says how each process
  /// was started.
  private func starts(
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

  @Test func `processes are forked from one that has loaded the libraries`() async throws {
    let starts = try await starts(2)
    #expect(starts[0].loaderFacts == starts[1].loaderFacts)
    #expect(starts[0].process != starts[1].process)
  }

  @Test func `with the variable each is started by itself`() async throws {
    let starts = try await starts(2, environment: ["BACKUP_TESTING_FORK": "off"])
    #expect(starts[0].loaderFacts != starts[1].loaderFacts)
  }

  @Test func `one that is forked has a keeper, and is in a group of its own`() async throws {
    for start in try await starts(2) {
      #expect(start.parent != getpid() && start.parent > 1)
      #expect(start.group == start.process)
      #expect(start.input == "/dev/null")
    }
  }

  @Test func `one that is forked has its own variables and directory, which the system shows`()
    async throws
  {
    for start in try await starts(2) {
      #expect(start.variables["HOME"] == start.directory)
      #expect(start.variables["__CFPREFERENCES_AVOID_DAEMON"] == "1")
      // The test library has taken away some.
      let own = Set(start.variables.map { "\($0.key)=\($0.value)" })
      #expect(start.shownVariables.isSuperset(of: own))
      #expect(!start.shownVariables.contains { $0.hasPrefix("ROOM") })
    }
  }

  @Test func `one that is forked is as one that was started by itself`() async throws {
    let forked = try #require(try await starts(1).first)
    let other = try #require(
      try await starts(1, environment: ["BACKUP_TESTING_FORK": "off"]).first)
    #expect(forked.signals == other.signals && forked.signals?.count == 2)
    #expect(Set(forked.variables.keys) == Set(other.variables.keys))
  }

  @Test func `what Swift makes anew in each process it makes anew in each that is forked`()
    async throws
  {
    let starts = try await starts(3)
    #expect(Set(starts.map(\.hash)).count > 1)
  }

  @Test func `what has more variables than a server has room for is started by itself`() throws {
    let folder = try TestFolder()
    let (own, others) = try AppChannel.makePair()
    let command = AppCommand(
      try #require(AppRecipe.ofThisProcess()),
      variables: ["VARIABLE": String(repeating: "x", count: 70_000)],
      directory: folder.path, output: folder.openOutput())
    #expect(ForkServer.fork(command, printingTo: 1, others) == nil)
    withExtendedLifetime(own) {}
  }

  @Test func `what is started like one that is forked is given no nameless variables`() async throws
  {
    let starts = try await starts(1)
    #expect(starts.map(\.recipeHasEmptyVariables) == [false])
  }

  @Test func `another program is started by itself`() throws {
    let folder = try TestFolder()
    let (own, others) = try AppChannel.makePair()
    let command = AppCommand(["/bin/sleep", "300"], in: folder)
    #expect(ForkServer.fork(command, printingTo: 1, others) == nil)
    withExtendedLifetime(own) {}
  }
}
#endif
