import Foundation

extension Error {
  /// Why a file could not be read or written: the system's words, where Foundation passes them on.
  package var reason: String {
    let underlying = (self as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    guard let underlying = underlying as? NSError, underlying.domain == NSPOSIXErrorDomain,
      let words = strerror(Int32(truncatingIfNeeded: underlying.code))
    else { return localizedDescription }
    return String(cString: words).lowercased()
  }
}
