import BackupTesting
import Foundation
import NetworkSupport

/// An app with what Foundation keeps for it on the way to the network.
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
  ]
}
