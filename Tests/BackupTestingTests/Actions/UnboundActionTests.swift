import BackupTesting
import Foundation
import Testing

@testable import BackupScenarios

/// The message for an action that no test binds.
@Suite struct UnboundActionTests {
  /// Returns the message for a step.
  private func message(_ step: String, bound: AppActions = AppActions()) async throws -> String {
    try #require(try await ActionRun([step], actions: bound).failure)
  }

  @Test func `the suggested code has a line for each argument`() async throws {
    let message = try await message(
      "{ perform: 'download', with: { id: 1, ratio: 0.5, title: 'A', on: false } }")
    #expect(
      message == """
        the action 'download' is not bound; bind it in the app's actions:
            "download": { action in
              let id: Int = try action.argument("id")
              let ratio: Double = try action.argument("ratio")
              let title: String = try action.argument("title")
              let on: Bool = try action.argument("on")
              // a call of the app's own code
            },
        """)
  }

  @Test func `keys that are no variable names become different variable names`() async throws {
    let message = try await message(
      """
      { perform: 'a "b"\\n', with: {
        'first name': 1, 'first-name': 2, '2nd': 3, '': 4, in: 5, default: 6, action: 7, 'é': 8,
      } }
      """)
    for line in [
      #""a \"b\"\n": { action in"#,
      #"let firstName: Int = try action.argument("first name")"#,
      #"let firstName2: Int = try action.argument("first-name")"#,
      #"let value: Int = try action.argument("2nd")"#,
      #"let value2: Int = try action.argument("")"#,
      #"let `in`: Int = try action.argument("in")"#,
      #"let `default`: Int = try action.argument("default")"#,
      #"let action2: Int = try action.argument("action")"#,
      #"let value3: Int = try action.argument("é")"#,
    ] {
      #expect(message.contains(line), "\(line)")
    }
  }

  @Test func `the suggested types fit all values`() async throws {
    let message = try await message(
      """
      { perform: 'a', with: {
        a: [1, 2.5], b: [], c: [[1], [2]], d: { x: 1, y: 2 }, e: { x: 1, y: 'a' }, f: null,
        g: { x: { y: true } },
      } }
      """)
    for line in [
      "let a: [Double]", "let b: [String]", "let c: [[Int]]", "let d: [String: Int]",
      "let e: [String: String]", "let f: String?", "let g: [String: [String: Bool]]",
    ] {
      #expect(message.contains(line), "\(line)")
    }
  }

  @Test func `the message for a mistyped name suggests a bound one`() async throws {
    let message = try await message("{ perform: 'downlod' }", bound: ["download": { _ in }])
    #expect(message.contains("is not bound; did you mean 'download'?"))
  }
}
