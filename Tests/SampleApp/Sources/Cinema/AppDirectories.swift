import Foundation

/// The directories for the app's files, in the app's own container or in a test's container.
public struct AppDirectories: Hashable, Sendable {
  /// The directory for the user's documents.
  public var documents: URL
  /// The directory for files that the app needs. iOS does not create it.
  public var applicationSupport: URL
  /// The directory for files that the app can create again. iOS empties it when storage is low.
  public var caches: URL
  /// The directory for files that only the current task needs.
  public var temporary: URL

  /// The directories of the app's own container, looked up at each use. An update or a restore
  /// moves the container.
  public static var standard: AppDirectories {
    AppDirectories(
      documents: .documentsDirectory, applicationSupport: .applicationSupportDirectory,
      caches: .cachesDirectory, temporary: .temporaryDirectory)
  }
}

extension AppDirectories {
  /// The directories of a container.
  public init(home: URL) {
    self.init(
      documents: home.appending(path: "Documents", directoryHint: .isDirectory),
      applicationSupport: home.appending(
        path: "Library/Application Support", directoryHint: .isDirectory),
      caches: home.appending(path: "Library/Caches", directoryHint: .isDirectory),
      temporary: home.appending(path: "tmp", directoryHint: .isDirectory))
  }
}
