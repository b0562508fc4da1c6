#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupScenarios
@testable import BackupTesting

/// What a session's delegate is handed, on a queue of the session's, in the app's process.
@Suite(.enabled(if: LoopbackServer.canBeReached, "this machine has an address of its own"))
struct AppDownloadTests {
  @Test(.container) func `a delegate's download is in the container, before and after`()
    async throws
  {
    let container = try FakeContainer.current
    let server = try LoopbackServer(answering: "a movie")
    let app = try await container.launch(NetworkApp.self)
    try await app.perform("download", with: ["port": server.port])
    let movie = container.documents.file("movie")
    #expect(try String(contentsOf: movie, encoding: .utf8) == "a movie")
    let former = try String(contentsOf: container.documents.file("from.txt"), encoding: .utf8)
    let home = container.url.resolvingSymlinksInPath().path
    #expect(
      URL(fileURLWithPath: former).resolvingSymlinksInPath().path.hasPrefix("\(home)/"), "\(former)"
    )
  }
}
#endif
