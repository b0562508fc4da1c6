import Foundation
import Testing

@testable import backup_testing

/// `linux-shim`: the file and its compiled twin.
@Suite struct LinuxShimCommandTests {
  @Test(arguments: ["SampleApp/Sources/Cinema", "LinuxShim/Sources/ShimmedApp"])
  func `the compiled twin is the same byte for byte`(folder: String) throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let twin = tests.appendingPathComponent("\(folder)/ContainerShim.swift")
    #expect(try Data(contentsOf: twin) == Data(LinuxShimSource.text.utf8))
  }

  @Test func `the file is printed or written`() async throws {
    let workspace = try Workspace()
    let printed = try await workspace.run("linux-shim")
    #expect(printed.status == 0)
    #expect(printed.output == LinuxShimSource.text)
    let written = try await workspace.run("linux-shim", "--output", "Shim.swift")
    #expect(written.status == 0)
    #expect(written.output.isEmpty)
    #expect(try workspace.text(of: "Shim.swift") == LinuxShimSource.text)
    #expect(try await workspace.run("linux-shim", "--output", "no/Shim.swift").status == 2)
    #expect(try await workspace.run("linux-shim", "operand").status == 2)
  }
}
