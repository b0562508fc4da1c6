import Foundation
import Testing

@testable import BackupContainer

/// Who is told of a look-up on a thread that has no container.
@Suite struct OpenContainersTests {
  /// The containers of a test, of which none is another test's.
  private let containers = OpenContainers()

  private func container() throws -> FakeContainer {
    try FakeContainer(traits: nil, beside: containers)
  }

  @Test func `nobody where no code of the app's runs`() async throws {
    #expect(containers.noteLostLookUp("a") == .unrelated)
    let container = try container()
    #expect(containers.noteLostLookUp("a") == .unrelated)
    await container.running {}
    #expect(containers.noteLostLookUp("a") == .unrelated)
    #expect(container.takeCodeComplaints().isEmpty)
  }

  @Test func `the one container that is open, once for each thing that was asked for`() async throws
  {
    let container = try container()
    await container.running {
      await container.running {}
      for call in ["a()", "b()", "a()"] { #expect(containers.noteLostLookUp(call) == .noted) }
    }
    let complaints = container.takeCodeComplaints()
    #expect(complaints.map { $0.prefix(4) } == ["a() ", "b() "])
    #expect(complaints.first?.contains("on a thread without a container") == true)
    #expect(container.takeCodeComplaints().isEmpty)
  }

  @Test func `nobody in particular where several are open`() async throws {
    let (first, second) = (try container(), try container())
    await first.running { #expect(containers.noteLostLookUp("a") == .ambiguous) }
    try second.remove()
    try second.remove()
    await first.running { #expect(containers.noteLostLookUp("a") == .noted) }
  }

  @Test func `what is made where a container was is named once, and removed`() async throws {
    let former = try container()
    let folder = former.documents.appendingPathComponent("Movies")
    try former.remove()
    let container = try container()
    await container.running {}
    #expect(container.takeCodeComplaints().isEmpty)
    try await container.running {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    #expect(!FileManager.default.fileExists(atPath: former.device.path))
    let complaints = container.takeCodeComplaints()
    #expect(complaints.count == 1)
    #expect(
      complaints.first?.hasPrefix("'Documents/Movies' was created in the container of a") == true)
    #expect(complaints.first?.contains("for example in a static variable") == true)
    #expect(complaints.first?.contains("or by a test that ran at the same time") == false)
    await container.running {}
    #expect(container.takeCodeComplaints().isEmpty)
  }

  @Test
  func `beside other code nobody is sure whose it was, and of a kept container it is nothing`()
    async throws
  {
    let (first, second, former, kept) = (
      try container(), try container(), try container(), try container()
    )
    let file = former.documents
    try former.remove()
    kept.keep()
    try await first.running {
      try await second.running {
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        try Data().write(to: kept.documents.appendingPathComponent("a"))
      }
    }
    #expect(
      second.takeCodeComplaints().first?.contains(
        "or by a test that ran at the same time") == true)
    #expect(first.takeCodeComplaints().isEmpty)
    try kept.remove()
  }

  @Test func `a container that is let go is not open any more, kept or not`() async throws {
    let first = try container()
    do {
      let second = try container()
      second.keep()
      let third = try container()
      await first.running { #expect(containers.noteLostLookUp("a") == .ambiguous) }
      try second.remove()
      _ = third.url
    }
    await first.running { #expect(containers.noteLostLookUp("a") == .noted) }
  }

  @Test func `what is made in the place of a container itself is named too`() async throws {
    let former = try container()
    try former.remove()
    let container = try container()
    try await container.running {
      try FileManager.default.createDirectory(
        at: former.device, withIntermediateDirectories: false)
      try Data().write(to: former.url)
    }
    let complaint = container.takeCodeComplaints().first
    #expect(
      complaint?.hasPrefix("\(former.device.path): items created in the container") == true)
    #expect(!FileManager.default.fileExists(atPath: former.device.path))
  }
}
