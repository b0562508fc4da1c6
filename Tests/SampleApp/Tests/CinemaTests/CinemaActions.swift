import BackupTesting
import Cinema
import Foundation

extension ActionCall {
  /// The app in the scenario's container.
  var cinema: CinemaApp { CinemaApp(directories: directories) }

  /// The directories of the scenario's container, for the app's stores.
  var directories: AppDirectories { AppDirectories(home: container.url) }

  /// The number of the movie that the step names.
  var movie: Int {
    get throws { try argument("movie") }
  }

  /// Returns a finished download as from `URLSession`: a file in tmp. The step's argument `bytes`
  /// is its size.
  func download() throws -> URL {
    let file = directories.temporary.appending(path: "CFNetworkDownload.tmp")
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: argument("bytes"))
    try handle.close()
    return file
  }
}

extension AppActions {
  /// The app's own code, for the actions that the scenarios perform.
  static var cinema: AppActions {
    [
      "launch": { try $0.cinema.launch() },
      "addToWatchlist": { try $0.cinema.watchlist.add($0.movie) },
      "importWatchlist": { action in
        let name: String = try action.argument("file")
        let list = action.directories.documents.appending(path: "Inbox/\(name)")
        try action.cinema.watchlist.importList(at: list, directories: action.directories)
      },
      "downloadMovie": { try $0.cinema.movies.keep($0.download(), as: $0.movie) },
      "playMovie": { _ = try $0.cinema.play($0.movie) },
      "resume": { _ = try $0.cinema.resume() },
      "exportMovie": { _ = try $0.cinema.movies.export($0.movie, to: $0.directories.documents) },
      "deleteMovie": { try $0.cinema.movies.delete($0.movie) },
      "showPoster": { action in
        _ = try action.cinema.artwork.poster(of: action.movie) { Data(count: 30_000) }
      },
      "rateMovie": { action in
        let stars: Int = try action.argument("stars")
        try action.cinema.diary.open().insert("\(action.movie): \(stars)")
      },
      "tidyDiary": { try $0.cinema.diary.open().checkpoint() },
      "refreshCatalogue": { action in
        let titles: [String] = try action.argument("titles")
        let catalogue = try action.cinema.catalogue.open()
        for title in titles { try catalogue.insert(title) }
      },
    ]
  }
}
