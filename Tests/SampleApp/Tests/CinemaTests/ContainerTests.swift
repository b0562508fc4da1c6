import BackupTesting
import Cinema
import Foundation
import Testing

/// Tests without scenario files. Each test has a new container on a new device.
@Suite(.container(files: ["Documents/**": .critical, "**/Movies/**": .offline]))
struct ContainerTests {
  private let container: FakeContainer
  private let app: CinemaApp

  init() throws {
    container = try FakeContainer.current
    app = CinemaApp(directories: AppDirectories(home: container.url))
  }

  @Test func `A new phone has the watchlist and no movie`() throws {
    try app.watchlist.add(7)
    try save("a movie", as: 7)
    let backup = try container.backUp()
    #expect(backup.files == ["Documents/Watchlist.json"])
    try container.restore(from: backup)
    let newApp = CinemaApp(directories: AppDirectories(home: container.url))
    #expect(try newApp.watchlist.movies() == [7])
    #expect(try newApp.movies.open("7.mp4") == nil)
    #expect(try container.findings().isEmpty)
  }

  @Test func `Low storage deletes the poster, but not the movie`() throws {
    try save("a movie", as: 7)
    _ = try app.artwork.poster(of: 7) { Data("first".utf8) }
    try container.purge(.criticalStorage)
    #expect(try app.movies.open("7.mp4") != nil)
    #expect(try app.artwork.poster(of: 7) { Data("second".utf8) } == Data("second".utf8))
  }

  @Test func `A second download of a movie is not backed up either`() async throws {
    try save("a movie", as: 7)
    let first = try container.backUp("first")
    try await container.perform("download again") { try save("a better movie", as: 7) }
    #expect(try container.backUp("second") == first)
    #expect(try container.findings().isEmpty)
  }

  @Test func `The user decides whether the diary is backed up`() throws {
    let diary = "Library/Application Support/Diary/diary.sqlite"
    _ = try app.diary.open()
    #expect(try container.backUp().contains(diary))
    try app.settings.update { $0.backsUpDiary = false }
    _ = try app.diary.open()
    #expect(try !container.backUp().contains(diary))
    try app.settings.update { $0.backsUpDiary = true }
    _ = try app.diary.open()
    #expect(try container.backUp().contains(diary))
  }

  /// Hands a finished download to the app.
  private func save(_ text: String, as movie: Int) throws {
    let download = container.temporary.appending(path: "CFNetworkDownload.tmp")
    try Data(text.utf8).write(to: download)
    try app.movies.keep(download, as: movie)
  }
}
