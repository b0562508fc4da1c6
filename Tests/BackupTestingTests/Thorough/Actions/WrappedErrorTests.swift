import BackupTesting
import Foundation
import Testing

@testable import BackupFileTree
@testable import BackupRules
@testable import BackupScenarios

/// Apps wrap Foundation's errors in errors of their own. The rules look for the wrapped errors.
@Suite struct WrappedErrorTests {
  /// An app's error, with the cause in the payload of an enumeration.
  private enum StoreError: Error {
    /// Another error is the whole payload.
    case failed(any Error)
    /// The payload has more than an error.
    case unreadable(id: Int, because: (any Error)?)
    case all([any Error])
  }

  /// An error with the name of the error that a failed `#require` of Swift Testing throws.
  private struct ExpectationFailedError: Error {
    let expectation = "a long dump"
  }

  @Test func `a failed '#require' is named, and its details are not repeated`() {
    #expect(
      ThrownError(ExpectationFailedError()).message == "a '#require' failed, as another issue says")
  }

  /// An app's error that stores another error.
  private struct LoadError: Error {
    var name = "list"
    var cause: any Error
  }

  /// A value that stores an error, and is no error itself, like `DecodingError.Context`.
  private struct Context {
    let underlying: (any Error)?
  }

  /// An error that stores another error only inside a value.
  private struct ContextError: Error {
    let context: Context
  }

  /// An error that is an object. A subclass inherits the property that stores the cause.
  private class RequestError: Error, @unchecked Sendable {
    var cause: (any Error)?
  }

  private final class DownloadError: RequestError, @unchecked Sendable {}

  /// Returns Foundation's error about a missing file.
  private static func missing(_ container: FakeContainer) -> CocoaError {
    CocoaError(
      .fileReadNoSuchFile,
      userInfo: [NSFilePathErrorKey: container.documents.path + "/list.json"])
  }

  /// Runs an action that throws an error around the error about a missing file.
  private func run(
    _ wrap: @escaping @Sendable (any Error) -> any Error, step: String = "{ perform: 'load' }"
  ) async throws -> ActionRun {
    try await ActionRun([step], actions: ["load": { throw wrap(try Self.missing($0.fake)) }])
  }

  /// The ways to wrap an error.
  private static let wrappers: [@Sendable (any Error) -> any Error] = [
    { StoreError.failed($0) },
    { StoreError.unreadable(id: 1, because: $0) },
    { StoreError.all([POSIXError(.EAGAIN), $0]) },
    { LoadError(cause: $0) },
    { ContextError(context: Context(underlying: $0)) },
    { NSError(domain: "app", code: 1, userInfo: [NSUnderlyingErrorKey: $0]) },
    { NSError(domain: "app", code: 1, userInfo: ["NSMultipleUnderlyingErrorsKey": [$0]]) },
    {
      let error = DownloadError()
      error.cause = $0
      return error
    },
  ]

  @Test(arguments: wrappers.indices)
  func `a missing file is found in an app's error`(index: Int) async throws {
    let run = try await run(Self.wrappers[index])
    #expect(run.failure == nil)
    #expect(run.broken == ["exists-before-use:2"])
    #expect(run.findings.first?.path?.string == "Documents/list.json")
  }

  @Test func `a limit of the machine ends the run, even if the step expects an error`() async throws
  {
    for error in [POSIXError(.EMFILE) as any Error, CocoaError(.fileWriteOutOfSpace)] {
      let run = try await ActionRun(
        ["{ perform: 'load', throws: true }"],
        actions: ["load": { _ in throw StoreError.failed(error) }])
      #expect(run.failure?.contains("a limit of this machine and not a mistake of the app") == true)
      #expect(run.broken == [])
    }
  }

  /// Runs an action that throws an error around the error that a path of `count` bytes is too long.
  private func run(
    tooLong count: Int, _ wrap: @escaping @Sendable (any Error) -> any Error
  ) async throws -> ActionRun {
    let name = String(repeating: "a", count: 100)
    let path = String(repeatElement(name, count: 11).joined(separator: "/").prefix(count))
    return try await ActionRun(
      ["{ perform: 'load', throws: true }"],
      actions: [
        "load": {
          let item = $0.container.url.path + "/" + path
          // This is the error of Foundation. On Linux, a POSIXError loses its `userInfo`.
          let pathTooLongError = CocoaError(
            .fileWriteInvalidFileName,
            userInfo: [
              NSFilePathErrorKey: item, NSUnderlyingErrorKey: POSIXError(.ENAMETOOLONG),
            ])
          throw wrap(pathTooLongError)
        }
      ])
  }

  @Test
  func `a path that is too long only on this machine ends the run, and is no failure of the app`()
    async throws
  {
    let run = try await run(tooLong: 900) { StoreError.failed($0) }
    #expect(run.failure?.contains("but not on a device (985 bytes)") == true)
    #expect(run.failure?.contains("set TMPDIR to a folder with a shorter path") == true)
    #expect(run.broken == [])
  }

  @Test func `a path that is too long on a device too is the app's failure`() async throws {
    let run = try await run(tooLong: 960) { $0 }
    #expect(run.failure == nil)
  }

  @Test func `the finding quotes the app's own error, with paths in the container`() async throws {
    let run = try await run { LoadError(name: "a\nb", cause: $0) }
    let message = try #require(run.findings.first?.message)
    #expect(
      message.hasPrefix(
        "the app reads 'Documents/list.json' without checking, but it is missing"))
    #expect(message.contains("; the app's code threw LoadError(name: \"a\\\\nb\", cause: "))
    #expect(!message.contains("/sbt-"))
    #expect(!message.contains("\n"))
  }

  @Test func `an error of Foundation's own is not quoted`() async throws {
    let run = try await run { $0 }
    #expect(run.findings.first?.message.contains("threw") == false)
  }

  @Test(arguments: [(3, true), (4, false)])
  func `the wrapped error is searched three errors deep`(depth: Int, isFound: Bool) async throws {
    let swift = try await run { (0..<depth).reduce($0) { error, _ in LoadError(cause: error) } }
    #expect(swift.broken == (isFound ? ["exists-before-use:2"] : []))
    #expect((swift.failure == nil) == isFound)
    let chain = try await run {
      (0..<depth).reduce($0) { error, index in
        NSError(domain: "app", code: index, userInfo: [NSUnderlyingErrorKey: error])
      }
    }
    #expect(chain.broken == swift.broken)
  }

  @Test func `the nearer of two wrapped errors counts`() async throws {
    let run = try await ActionRun(
      ["{ perform: 'load' }"],
      actions: [
        "load": { action in
          let near = CocoaError(
            .fileReadNoSuchFile,
            userInfo: [NSFilePathErrorKey: action.container.library.path + "/near"])
          throw NSError(
            domain: "app", code: 1,
            userInfo: [
              "NSMultipleUnderlyingErrorsKey": [
                LoadError(cause: try Self.missing(action.fake)), near,
              ]
            ])
        }
      ])
    #expect(run.findings.map(\.path?.string) == ["Library/near"])
  }

  @Test func `an inner error without a path uses the path of the outer error`() async throws {
    let run = try await ActionRun(
      ["{ perform: 'load' }"],
      actions: [
        "load": { action in
          let file = action.container.documents.appendingPathComponent("list.json")
          throw NSError(
            domain: "app", code: 1,
            userInfo: [NSURLErrorKey: file, NSUnderlyingErrorKey: POSIXError(.ENOENT)])
        }
      ])
    #expect(run.findings.map(\.path?.string) == ["Documents/list.json"])
  }

  @Test func `an error that contains itself ends the search`() async throws {
    let run = try await run { _ in
      let error = DownloadError()
      error.cause = LoadError(cause: error)
      return error
    }
    #expect(run.failure?.hasPrefix("the app's code threw: ") == true)
    #expect(run.findings.isEmpty)
  }

  @Test func `'throws' also accepts the kind of the inner error`() async throws {
    let run = try await run(
      { StoreError.failed($0) }, step: "{ perform: 'load', throws: 'noSuchFile' }")
    #expect(run.failure == nil)
    #expect(run.findings.isEmpty)
  }

  @Test func `a former container's path is found in an app's error`() async throws {
    let run = try await ActionRun(
      ["{ updateApp: '2.0' }", "{ perform: 'load' }"],
      actions: [
        "load": { action in
          let former = try #require(try action.fake.formerURLs.last)
          throw LoadError(
            cause: CocoaError(
              .fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: former.path + "/Documents/a"]))
        }
      ])
    #expect(run.failure == nil)
    #expect(run.broken == ["stale-container-path:3"])
    #expect(run.findings.first?.message.contains("the app's code threw LoadError(") == true)
  }
}
