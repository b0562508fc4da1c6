import BackupTesting
import Foundation
import Testing

@testable import BackupFileTree
@testable import BackupRules
@testable import BackupScenarios

/// Apps throw errors of their own around Foundation's; the rules look into them.
@Suite struct WrappedErrorTests {
  /// An error of an app's own, with what it knows of the cause in an enumeration's payload.
  private enum StoreError: Error {
    /// Another error is the whole payload.
    case failed(any Error)
    /// The payload has more than that.
    case unreadable(id: Int, because: (any Error)?)
    case all([any Error])
  }

  /// As Swift Testing names what a failed `#require` throws.
  private struct ExpectationFailedError: Error {
    let expectation = "a long dump"
  }

  @Test func `a failed requirement is named and not shown again`() {
    #expect(
      ThrownError(ExpectationFailedError()).message == "a '#require' failed, as another issue says")
  }

  /// An error of an app's own that stores another.
  private struct LoadError: Error {
    var name = "list"
    var cause: any Error
  }

  /// A value that is no error and stores one, as `DecodingError.Context` does.
  private struct Context {
    /// Why it came to this.
    let underlying: (any Error)?
  }

  /// An error that stores no error itself.
  private struct ContextError: Error {
    let context: Context
  }

  /// An error that is an object, and stores another where it is derived from.
  private class RequestError: Error, @unchecked Sendable {
    var cause: (any Error)?
  }

  /// A kind of that error.
  private final class DownloadError: RequestError, @unchecked Sendable {}

  /// Foundation's error about a missing file.
  private static func missing(_ container: FakeContainer) -> CocoaError {
    CocoaError(
      .fileReadNoSuchFile,
      userInfo: [NSFilePathErrorKey: container.documents.path + "/list.json"])
  }

  /// Runs an action that throws what is made around the error about a missing file.
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
  func `a missing file is found in an error of the app's own`(index: Int) async throws {
    let run = try await run(Self.wrappers[index])
    #expect(run.failure == nil)
    #expect(run.broken == ["exists-before-use:2"])
    #expect(run.findings.first?.path?.string == "Documents/list.json")
  }

  @Test(arguments: wrappers.indices)
  func `what the machine lacks breaks a run off, though the step is to fail`(index: Int)
    async throws
  {
    for error in [POSIXError(.EMFILE) as any Error, CocoaError(.fileWriteOutOfSpace)] {
      let run = try await ActionRun(
        ["{ perform: 'load', throws: true }"],
        actions: ["load": { _ in throw Self.wrappers[index](error) }])
      #expect(run.failure?.contains("a limit of this machine and not a mistake of the app") == true)
      #expect(run.broken == [])
    }
  }

  /// Runs an action that throws that a path of so many bytes in the container is too long.
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
          // As Foundation says it; the user's information of a POSIXError is lost on Linux.
          let long = CocoaError(
            .fileWriteInvalidFileName,
            userInfo: [
              NSFilePathErrorKey: item, NSUnderlyingErrorKey: POSIXError(.ENAMETOOLONG),
            ])
          throw wrap(long)
        }
      ])
  }

  @Test(arguments: wrappers.indices)
  func `a path that fits a device and not this machine is said to, and is no failure of the app's`(
    index: Int
  ) async throws {
    let run = try await run(tooLong: 900, Self.wrappers[index])
    #expect(run.failure?.contains("but not on a device (985 bytes)") == true)
    #expect(run.failure?.contains("set TMPDIR to a folder with a shorter path") == true)
    #expect(run.broken == [])
  }

  @Test func `a path that fits neither is the app's failure`() async throws {
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
  func `it is looked for three errors deep`(depth: Int, isFound: Bool) async throws {
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

  @Test func `of two errors the nearer one counts, then the underlying one`() async throws {
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

  @Test func `an inner error without a path is about the outer one's`() async throws {
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

  @Test func `an error that holds itself ends the search`() async throws {
    let run = try await run { _ in
      let error = DownloadError()
      error.cause = LoadError(cause: error)
      return error
    }
    #expect(run.failure?.hasPrefix("the app's code threw: ") == true)
    #expect(run.findings.isEmpty)
  }

  @Test func `'throws' asks for the inner error's kind too`() async throws {
    let run = try await run(
      { StoreError.failed($0) }, step: "{ perform: 'load', throws: 'noSuchFile' }")
    #expect(run.failure == nil)
    #expect(run.findings.isEmpty)
  }

  @Test func `a former container's path is found in an error of the app's own`() async throws {
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
