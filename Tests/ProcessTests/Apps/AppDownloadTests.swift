#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupScenarios
@testable import BackupTesting

/// A URL session gives its delegate a downloaded file, also in the app's process.
@Suite(.enabled(if: LoopbackServer.canBeReached, "this machine has an address of its own"))
struct AppDownloadTests {
  @Test(.container) func `a downloaded file is in the container before and after its move`()
    async throws
  {
    let container = try FakeContainer.current
    let server = try LoopbackServer(answering: "a movie")
    let app = try await container.launch(NetworkApp.self)
    try await app.perform("download", with: ["port": server.port])
    let movie = container.documents.file("movie")
    #expect(try String(contentsOf: movie, encoding: .utf8) == "a movie")
    let formerPath = try String(contentsOf: container.documents.file("from.txt"), encoding: .utf8)
    let containerPath = container.url.resolvingSymlinksInPath().path
    #expect(
      URL(fileURLWithPath: formerPath).resolvingSymlinksInPath().path.hasPrefix(
        "\(containerPath)/"), "\(formerPath)"
    )
  }
}
#endif
