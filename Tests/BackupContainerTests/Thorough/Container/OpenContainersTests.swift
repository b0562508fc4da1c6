import Foundation
import Testing

@testable import BackupContainer

/// A lookup on a thread without a container is reported to the open container, if only one is open.
@Suite struct OpenContainersTests {
  /// The open containers of one test, apart from those of other tests.
  private let containers = OpenContainers()

  private func makeContainer() throws -> FakeContainer {
    try FakeContainer(traits: nil, among: containers)
  }

  @Test func `a lookup while no app code runs is reported to no container`() async throws {
    #expect(containers.noteLostLookUp("a") == .unrelated)
    let container = try makeContainer()
    #expect(containers.noteLostLookUp("a") == .unrelated)
    await container.runCode {}
    #expect(containers.noteLostLookUp("a") == .unrelated)
    #expect(container.takeCodeComplaints().isEmpty)
  }

  @Test func `the only open container gets one report of each lookup`() async throws {
    let container = try makeContainer()
    await container.runCode {
      await container.runCode {}
      for call in ["a()", "b()", "a()"] { #expect(containers.noteLostLookUp(call) == .noted) }
    }
    let complaints = container.takeCodeComplaints()
    #expect(complaints.map { $0.prefix(4) } == ["a() ", "b() "])
    #expect(complaints.first?.contains("on a thread without a container") == true)
    #expect(container.takeCodeComplaints().isEmpty)
  }

  @Test func `a lookup while several containers are open is reported to none`() async throws {
    let (first, second) = (try makeContainer(), try makeContainer())
    await first.runCode { #expect(containers.noteLostLookUp("a") == .ambiguous) }
    try second.remove()
    try second.remove()
    await first.runCode { #expect(containers.noteLostLookUp("a") == .noted) }
  }

  @Test func `an item created in a removed container is named once, and removed`() async throws {
    let former = try makeContainer()
    let folder = former.documents.appendingPathComponent("Movies")
    try former.remove()
    let container = try makeContainer()
    await container.runCode {}
    #expect(container.takeCodeComplaints().isEmpty)
    try await container.runCode {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    #expect(!FileManager.default.fileExists(atPath: former.deviceURL.path))
    let complaints = container.takeCodeComplaints()
    #expect(complaints.count == 1)
    #expect(
      complaints.first?.hasPrefix("'Documents/Movies' was created in the container of a") == true)
    #expect(complaints.first?.contains("for example in a static variable") == true)
    #expect(complaints.first?.contains("or by a test that ran at the same time") == false)
    await container.runCode {}
    #expect(container.takeCodeComplaints().isEmpty)
  }

  @Test
  func `while other app code runs, the report says so, and a kept container causes none`()
    async throws
  {
    let (first, second, former, kept) = (
      try makeContainer(), try makeContainer(), try makeContainer(), try makeContainer()
    )
    let formerDocuments = former.documents
    try former.remove()
    kept.keep()
    try await first.runCode {
      try await second.runCode {
        try FileManager.default.createDirectory(
          at: formerDocuments, withIntermediateDirectories: true)
        try Data().write(to: kept.documents.appendingPathComponent("a"))
      }
    }
    #expect(
      second.takeCodeComplaints().first?.contains(
        "or by a test that ran at the same time") == true)
    #expect(first.takeCodeComplaints().isEmpty)
    try kept.remove()
  }

  @Test func `a released container is not open any more, kept or not`() async throws {
    let first = try makeContainer()
    do {
      let second = try makeContainer()
      second.keep()
      let third = try makeContainer()
      await first.runCode { #expect(containers.noteLostLookUp("a") == .ambiguous) }
      try second.remove()
      _ = third.url
    }
    await first.runCode { #expect(containers.noteLostLookUp("a") == .noted) }
  }

  @Test func `a file in the place of a removed container is named too`() async throws {
    let former = try makeContainer()
    try former.remove()
    let container = try makeContainer()
    try await container.runCode {
      try FileManager.default.createDirectory(
        at: former.deviceURL, withIntermediateDirectories: false)
      try Data().write(to: former.url)
    }
    let complaint = container.takeCodeComplaints().first
    #expect(
      complaint?.hasPrefix("\(former.deviceURL.path): items created in the container") == true)
    #expect(!FileManager.default.fileExists(atPath: former.deviceURL.path))
  }
}
