import Foundation
import Testing

@testable import backup_testing

/// The sample app holds the file that `linux-shim` prints, as a user's app would.
@Suite struct SampleAppShimTests {
  @Test func `the sample app's copy is the same byte for byte`() throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    let copy = tests.appendingPathComponent("SampleApp/Sources/Cinema/ContainerShim.swift")
    #expect(try Data(contentsOf: copy) == Data(LinuxShimSource.text.utf8))
  }
}
