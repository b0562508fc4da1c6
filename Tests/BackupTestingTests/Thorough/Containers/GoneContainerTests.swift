import BackupDevice
import BackupTesting
import Foundation
import Testing

@testable import BackupContainer
@testable import BackupFileTree
@testable import BackupScenarios

/// A container that is used after it was removed.
@Suite struct GoneContainerTests {
  /// A container that a test may still hold.
  private let container: FakeContainer
  private let backup: FakeContainer.Backup

  init() throws {
    container = try FakeContainer()
    backup = try container.backUp()
    try container.remove()
  }

  /// The calls on a container.
  private static let calls: [@Sendable (FakeContainer, FakeContainer.Backup) async throws -> Void] =
    [
      { container, _ in _ = try container.scan() },
      { container, _ in
        try container.apply(
          .write(try ContainerPath("Documents/a"), .zeros(1), method: .atomically))
      },
      { container, _ in
        try container.apply(
          .createDirectory(try ContainerPath("Documents/a/b"), intermediates: true))
      },
      { container, _ in try container.backUp() },
      { container, _ in try container.purge() },
      { container, _ in try container.updateApp() },
      { container, backup in try container.restore(from: backup) },
      { container, _ in
        let profile = try #require(SystemProfile(version: "18"))
        try container.beginSession(SessionConfiguration(profile: profile))
      },
      { container, _ in try await container.perform { _ = Issue.record("the code runs") } },
      { container, _ in _ = try container.findings() },
    ]

  @Test(arguments: calls.indices)
  func `each call throws that the container is gone, and creates nothing`(index: Int) async throws {
    let error = await #expect(throws: (any Error).self) {
      try await Self.calls[index](container, backup)
    }
    #expect("\(error as Any)".contains("the container is gone: it was removed, or its test has"))
    #expect(!FileManager.default.fileExists(atPath: container.deviceURL.path))
  }

  @Test func `removing the container again, or keeping it, does nothing`() throws {
    try container.remove()
    container.keep()
    #expect(!FileManager.default.fileExists(atPath: container.deviceURL.path))
  }

  @Test func `code that outlives its container gets an error when it ends`() async throws {
    let container = try FakeContainer()
    let error = await #expect(throws: RunError.self) {
      try await container.perform { try container.remove() }
    }
    #expect(error?.code == .containerUnavailable)
    #expect(error?.description.contains("the container is gone") == true)
    #expect(!FileManager.default.fileExists(atPath: container.deviceURL.path))
  }

  @Test func `a session whose container was released throws an error`() throws {
    let session = try {
      let profile = try #require(SystemProfile.newest)
      return try ContainerSession(
        FakeContainer(), SessionConfiguration(profile: profile), at: .unknown)
    }()
    let error = #expect(throws: RunError.self) { try session.transcript() }
    #expect(error?.code == .containerUnavailable)
    #expect(error?.description.contains("the container is gone") == true)
  }

  @Test func `the serial numbers of sessions and turns are unique`() {
    let numbers = (0..<100).map { _ in SerialNumber() }
    #expect(Set(numbers).count == 100)
  }
}
