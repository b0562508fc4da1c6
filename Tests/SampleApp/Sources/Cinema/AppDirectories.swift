import Foundation

/// Where the app's stores keep their files: the app's own container, or one that a test hands over.
public struct AppDirectories: Hashable, Sendable {
  /// What the user makes.
  public var documents: URL
  /// What the app needs or keeps; iOS does not make this directory.
  public var applicationSupport: URL
  /// What can be made again; iOS empties it when storage is low.
  public var caches: URL
  /// What is of use for the task at hand only.
  public var temporary: URL

  /// The app's own, asked for anew each time: an update or a restore moves the container.
  public static var standard: AppDirectories {
    AppDirectories(
      documents: .documentsDirectory, applicationSupport: .applicationSupportDirectory,
      caches: .cachesDirectory, temporary: .temporaryDirectory)
  }
}

extension AppDirectories {
  /// The same directories in another container.
  public init(home: URL) {
    self.init(
      documents: home.appending(path: "Documents", directoryHint: .isDirectory),
      applicationSupport: home.appending(
        path: "Library/Application Support", directoryHint: .isDirectory),
      caches: home.appending(path: "Library/Caches", directoryHint: .isDirectory),
      temporary: home.appending(path: "tmp", directoryHint: .isDirectory))
  }
}
