#if os(macOS) || os(Linux)
import BackupTesting
import Foundation
import NetworkSupport

/// An app for which Foundation stores cookies, cached responses and downloads.
enum NetworkApp: AppUnderTest {
  static let actions: AppActions = [
    "session": { _ in
      _ = URLSession.shared.configuration.httpCookieStorage?.cookies
    },
    "cookie": { _ in
      let expiry = Date(timeIntervalSinceNow: 100_000)
      let properties: [HTTPCookiePropertyKey: Any] = [
        .name: "a", .value: "b", .domain: "example.com", .path: "/", .expires: expiry,
      ]
      HTTPCookie(properties: properties).map(HTTPCookieStorage.shared.setCookie)
    },
    "readCookie": { _ in
      guard HTTPCookieStorage.shared.cookies?.isEmpty == false else {
        throw CocoaError(.coderValueNotFound)
      }
    },
    "cache": { _ in
      let url = URL(string: "http://example.com/a") ?? URL(fileURLWithPath: "/")
      let response = URLResponse(
        url: url, mimeType: nil, expectedContentLength: 3, textEncodingName: nil)
      URLCache.shared.storeCachedResponse(
        CachedURLResponse(response: response, data: Data(count: 3)), for: URLRequest(url: url))
    },
    "download": { action in
      let port: Int = try action.argument("port")
      // A proxy that the user has set cannot reach 127.0.0.1.
      setenv("no_proxy", "*", 1)
      let url = URL(string: "http://127.0.0.1:\(port)/movie") ?? URL(fileURLWithPath: "/")
      try await Downloader().download(url)
    },
  ]
}

/// Downloads as apps do: the session gives its delegate a temporary file, which the delegate moves.
private final class Downloader: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
  /// Guards `waiter` and `failure`.
  private let lock = NSLock()
  private var waiter: CheckedContinuation<Void, any Error>?
  /// The error of moving the downloaded file.
  private var failure: (any Error)?

  /// Downloads a file into Documents, and writes the file's temporary path to `from.txt`.
  func download(_ url: URL) async throws {
    let session = URLSession(configuration: .default, delegate: self, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    try await withCheckedThrowingContinuation { waiter in
      lock.withLock { self.waiter = waiter }
      session.downloadTask(with: url).resume()
    }
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo file: URL
  ) {
    do {
      let files = FileManager.default
      let folder = try files.url(
        for: .documentDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
      try Data(file.path.utf8).write(to: folder.file("from.txt"))
      try files.moveItem(at: file, to: folder.file("movie"))
    } catch {
      lock.withLock { failure = error }
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let (waiter, failure) = lock.withLock { (self.waiter, self.failure) }
    if let error = error ?? failure { waiter?.resume(throwing: error) } else { waiter?.resume() }
  }
}
#endif
