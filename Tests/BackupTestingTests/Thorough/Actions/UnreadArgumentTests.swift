import BackupTesting
import Foundation
import Testing

@testable import BackupDiagnostics
@testable import BackupScenarios
@testable import BackupVerdicts

/// An argument that an action never reads is a problem, because the test may have tested something
/// else.
@Suite struct UnreadArgumentTests {
  /// Returns the result of a scenario. The first step is on line 2, and each step has its own line.
  private func result(
    _ steps: [String], _ actions: AppActions, head: String = "", isStrict: Bool = false
  ) async throws -> ScenarioResult {
    let list = (steps + ["{ backup: 'at night' }"]).joined(separator: ",\n")
    let text = "{ title: \"Arguments\", \(head) steps: [\n\(list)\n] }"
    var suite = ScenarioSuite(
      goldens: nil, recordMode: .never, runner: ScenarioRunner(actions: actions))
    suite.isStrict = isStrict
    return try #require(await suite.run(try Scenario(text: text)))
  }

  /// An action that reads one argument, or its default.
  private static let save: AppActions = [
    "save": { action in
      let size = try action.argumentIfPresent("size", as: Int.self) ?? 10
      try leaveTrace(in: action, Data(count: size))
    }
  ]

  /// Saves a file, because an action that changes nothing causes a warning.
  private static func leaveTrace(in action: ActionCall, _ data: Data = Data()) throws {
    try data.write(to: action.container.documents.appending(path: "saved"))
  }

  @Test func `a misspelt key is a warning at its position, with the right name`()
    async throws
  {
    let steps = ["{ perform: 'save' }", "{ perform: 'save', with: { sise: 5 } }"]
    let result = try await result(steps, Self.save)
    #expect(result.verdict == .passed)
    let problem = try #require(result.problems.first)
    #expect(result.problems.count == 1)
    #expect(problem.kind == .unreadArgument)
    #expect(problem.severity == .warning && !problem.isFailure)
    #expect(problem.position == SourcePosition(line: 3, column: 28))
    #expect(problem.message == "the action 'save' never asks for the argument 'sise'")
    #expect(
      problem.details == [
        "do: rename it to 'size', which the action asks for and which is missing"
      ])
  }

  @Test func `a strict run fails because of a misspelt key`() async throws {
    let step = "{ perform: 'save', with: { sise: 5 } }"
    #expect(try await result([step], Self.save, isStrict: true).verdict == .failed)
  }

  @Test func `the advice on an unknown key is to remove it or to read it`() async throws {
    let steps = ["{ perform: 'save', with: { title: 'A', size: 5 } }"]
    let result = try await result(steps, Self.save)
    #expect(
      result.problems.map(\.details)
        == [["do: remove it, or read it in the action: try action.argument(\"title\")"]])
    let other = try await self.result(["{ perform: 'save', with: { title: 'A' } }"], Self.save)
    #expect(
      other.problems.first?.details.first?.hasSuffix(
        "; the action asks for 'size', which is missing") == true)
  }

  @Test func `an argument that is read, alone or with all others, is no problem`() async throws {
    struct Movie: Decodable { var size: Int? }
    let step = "{ perform: 'save', with: { size: 5 } }"
    let readingAll: AppActions = [
      "save": { action in
        _ = try action.arguments(as: Movie.self)
        try Self.leaveTrace(in: action)
      }
    ]
    #expect(try await result([step], Self.save).problems.isEmpty)
    #expect(try await result([step], readingAll).problems.isEmpty)
  }

  @Test func `an argument that is read at one start, or on one system, is no problem`() async throws
  {
    let step = "{ perform: 'save', with: { size: 5 } }"
    let readingAtFirstLaunch: AppActions = [
      "save": { action in
        try Self.leaveTrace(in: action)
        if action.launchCount == 1 { _ = try action.argument("size", as: Int.self) }
      }
    ]
    let launch = "launch: [\(step)], "
    #expect(
      try await result(
        ["{ relaunch: {} }", "{ relaunch: {} }"], readingAtFirstLaunch, head: launch
      )
      .problems.isEmpty)
    let readingOnIOS5: AppActions = [
      "save": { action in
        try Self.leaveTrace(in: action)
        if try action.fake.isOfIOS5 { _ = try action.argument("size", as: Int.self) }
      }
    ]
    let resultWithIOS5 = try await result([step], readingOnIOS5, head: "system: ['5.0', '18'],")
    #expect(resultWithIOS5.problems.isEmpty)
    let resultWithoutIOS5 = try await result([step], readingOnIOS5, head: "system: ['18', '26'],")
    #expect(resultWithoutIOS5.problems.count == 1)
  }

  @Test func `an argument that a failing action has not read yet is no problem`() async throws {
    let result = try await result(
      ["{ perform: 'save', with: { size: 5 }, throws: true }"],
      ["save": { _ in throw CancellationError() }])
    #expect(result.problems.isEmpty)
  }
}

extension FakeContainer {
  /// Whether the container has the layout up to iOS 7, with the app's bundle inside.
  fileprivate var isOfIOS5: Bool {
    (try? scan().paths.contains { $0.string.hasSuffix(".app") }) == true
  }
}
