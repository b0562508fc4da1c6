import Foundation

extension Error {
  /// Why a file could not be read or written, in the system's words where Foundation passes them on.
  package var reason: String {
    let error = self as NSError
    let missing = [CocoaError.fileNoSuchFile.rawValue, CocoaError.fileReadNoSuchFile.rawValue]
    if error.domain == NSCocoaErrorDomain, missing.contains(error.code) {
      return "no such file or folder"
    }
    let underlying = error.userInfo[NSUnderlyingErrorKey] as? any Error
    guard let underlying = underlying as? NSError, underlying.domain == NSPOSIXErrorDomain else {
      return localizedDescription
    }
    return String(cString: strerror(Int32(truncatingIfNeeded: underlying.code))).lowercased()
  }
}
