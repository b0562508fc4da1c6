import Foundation

extension ActionCall {
  /// An error that the app's code threw in a process of its own: the error itself cannot cross.
  public struct CodeError: Error, Hashable, Sendable, CustomStringConvertible, Codable {
    /// The error in its own words.
    public let description: String
    /// The domain that Foundation gives it, such as `NSCocoaErrorDomain`.
    public let domain: String
    /// Its code in that.
    public let code: Int
    /// What the kit understands of it.
    let thrown: ThrownError

    /// What crosses of an error.
    package init(_ error: any Error) {
      let cocoa = error as NSError
      self.thrown = ThrownError(error)
      self.description = thrown.message
      self.domain = cocoa.domain
      self.code = cocoa.code
    }
  }
}
