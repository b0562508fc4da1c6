// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(Linux)
  public import Foundation

  /// Only for queries to the keychain, which Linux does not have.
  open class LAContext: NSObject {
    open var interactionNotAllowed = false
    open var localizedReason = ""
  }
#endif
