import BackupTesting
import Cinema
import Foundation

extension BrokenApp {
  /// The movie has only the attribute of iOS 5.0.1, as in an old answer on the web.
  static let setsOldAttributeOnly = BrokenApp(
    "Only the deprecated attribute is set", in: "movies/download",
    caughtBy: "recreatable-data-backed-up", at: ".keepUnmarked"
  ) { actions in
    actions.bind("launch") { try $0.cinema.launchWithoutMovies() }
    actions.bind("downloadMovie") { action in
      try action.cinema.movies.keepUnmarked(action.download(), as: action.movie)
      setOldAttribute(on: try action.cinema.movies.file(of: action.movie))
    }
  }

  /// Sets `com.apple.MobileBackup` to 1, as in a former version of Apple's Q&A 1719.
  private static func setOldAttribute(on file: URL) {
    #if os(Linux)
    _ = setAttribute(file.path, "user.com.apple.MobileBackup", [1], 1, 0)
    #else
    _ = setxattr(file.path, "com.apple.MobileBackup", [1 as UInt8], 1, 0, 0)
    #endif
  }
}

#if os(Linux)
/// The function `setxattr` of Linux. Swift's Glibc module lacks it.
@_silgen_name("setxattr")
private func setAttribute(
  _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>, _ value: UnsafePointer<UInt8>,
  _ size: Int, _ flags: CInt
) -> CInt
#endif
