import Foundation
import Testing

/// `linux-shim`: prints the file that the other packages compile.
@Suite struct LinuxShimCommandTests {
  /// The text of the file, read through the link by which Tests/LinuxShim compiles it.
  private let shim: String

  init() throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let link = tests.appendingPathComponent("LinuxShim/Sources/ShimmedApp/ContainerShim.swift")
    shim = String(decoding: try Data(contentsOf: link), as: UTF8.self)
  }

  @Test func `the file is printed or written`() async throws {
    let workspace = try Workspace()
    let printed = try await workspace.run("linux-shim")
    #expect(printed.status == 0)
    #expect(printed.output == shim)
    let written = try await workspace.run("linux-shim", "--output", "Shim.swift")
    #expect(written.status == 0)
    #expect(written.output.isEmpty)
    #expect(try workspace.text(of: "Shim.swift") == shim)
    #expect(try await workspace.run("linux-shim", "--output", "no/Shim.swift").status == 2)
    #expect(try await workspace.run("linux-shim", "operand").status == 2)
  }
}
