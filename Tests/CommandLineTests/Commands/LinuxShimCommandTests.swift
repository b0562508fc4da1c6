#if os(macOS) || os(Linux)
import Foundation
import Testing

/// `linux-shim` prints the shim for Linux, with the files that the package Tests/LinuxShim
/// compiles.
@Suite struct LinuxShimCommandTests {
  /// The text of the shim. Tests/LinuxShim has links to its parts.
  private let shim: String
  /// The text of the shim's header for C. Tests/LinuxShim has a link to it.
  private let header: String

  init() throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folder = tests.appendingPathComponent("LinuxShim/Sources/ShimmedApp")
    shim = try ["Shim", "Redirections", "Xattr"].map {
      let link = folder.appendingPathComponent("Container\($0).swift")
      return String(decoding: try Data(contentsOf: link), as: UTF8.self)
    }.joined(separator: "\n")
    let headerLink = tests.appendingPathComponent("LinuxShim/Sources/CShimmedApp/ContainerXattr.h")
    header = String(decoding: try Data(contentsOf: headerLink), as: UTF8.self)
  }

  @Test func `the header for C is printed or written, and is not replaced by the Swift file`()
    async throws
  {
    let workspace = try Workspace()
    #expect(try await workspace.run("linux-shim", "--c").output == header)
    for _ in 0..<2 {
      #expect(try await workspace.run("linux-shim", "--c", "--output", "x.h").status == 0)
    }
    #expect(try workspace.text(of: "x.h") == header)
    #expect(try await workspace.run("linux-shim", "--output", "x.h").status == 2)
  }

  @Test func `the Swift file is printed or written`() async throws {
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

  @Test func `an earlier shim is replaced, but no other file`() async throws {
    let workspace = try Workspace()
    try workspace.write("import Foundation\n", to: "Store.swift")
    let run = try await workspace.run("linux-shim", "--output", "Store.swift")
    #expect(run.status == 2 && run.errors.contains("the file exists"))
    #expect(try workspace.text(of: "Store.swift") == "import Foundation\n")
    let firstLine = String(shim.prefix { !$0.isNewline })
    for former in ["", "\(firstLine)\n// An earlier one.\n"] {
      try workspace.write(former, to: "Shim.swift")
      #expect(try await workspace.run("linux-shim", "--output", "Shim.swift").status == 0)
      #expect(try workspace.text(of: "Shim.swift") == shim)
    }
  }
}
#endif
