// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Foundation of iOS has these names of CoreFoundation and Security too.

#if os(Linux)
  public import Foundation

  public typealias CFArray = NSArray
  public typealias CFBoolean = NSNumber
  public typealias CFData = NSData
  public typealias CFDictionary = NSDictionary
  public typealias CFNumber = NSNumber
  public typealias CFString = NSString
  public typealias CFTypeRef = AnyObject
  public typealias CFURL = NSURL
  public typealias OSStatus = Int32

  public var kCFBooleanTrue: CFBoolean! { true }
  public var kCFBooleanFalse: CFBoolean! { false }

  public let noErr: OSStatus = 0
  public let errSecSuccess: OSStatus = 0
  public let errSecUnimplemented: OSStatus = -4
  public let errSecParam: OSStatus = -50
  public let errSecAllocate: OSStatus = -108
  public let errSecUserCanceled: OSStatus = -128
  public let errSecNotAvailable: OSStatus = -25291
  public let errSecAuthFailed: OSStatus = -25293
  public let errSecDuplicateItem: OSStatus = -25299
  public let errSecItemNotFound: OSStatus = -25300
  public let errSecInteractionNotAllowed: OSStatus = -25308
  public let errSecDecode: OSStatus = -26275
  public let errSecMissingEntitlement: OSStatus = -34018

  public var kSecClass: CFString { "class" }
  public var kSecClassGenericPassword: CFString { "genp" }
  public var kSecClassInternetPassword: CFString { "inet" }
  public var kSecClassCertificate: CFString { "cert" }
  public var kSecClassKey: CFString { "keys" }
  public var kSecClassIdentity: CFString { "idnt" }

  public var kSecAttrAccessible: CFString { "pdmn" }
  public var kSecAttrAccessGroup: CFString { "agrp" }
  public var kSecAttrAccount: CFString { "acct" }
  public var kSecAttrApplicationTag: CFString { "atag" }
  public var kSecAttrComment: CFString { "icmt" }
  public var kSecAttrCreationDate: CFString { "cdat" }
  public var kSecAttrDescription: CFString { "desc" }
  public var kSecAttrGeneric: CFString { "gena" }
  public var kSecAttrLabel: CFString { "labl" }
  public var kSecAttrModificationDate: CFString { "mdat" }
  public var kSecAttrServer: CFString { "srvr" }
  public var kSecAttrService: CFString { "svce" }
  public var kSecAttrSynchronizable: CFString { "sync" }
  public var kSecAttrSynchronizableAny: CFString { "syna" }

  public var kSecAttrAccessibleAfterFirstUnlock: CFString { "ck" }
  public var kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString { "cku" }
  public var kSecAttrAccessibleAlways: CFString { "dk" }
  public var kSecAttrAccessibleAlwaysThisDeviceOnly: CFString { "dku" }
  public var kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString { "akpu" }
  public var kSecAttrAccessibleWhenUnlocked: CFString { "ak" }
  public var kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString { "aku" }

  public var kSecMatchLimit: CFString { "m_Limit" }
  public var kSecMatchLimitAll: CFString { "m_LimitAll" }
  public var kSecMatchLimitOne: CFString { "m_LimitOne" }
  public var kSecReturnAttributes: CFString { "r_Attributes" }
  public var kSecReturnData: CFString { "r_Data" }
  public var kSecReturnPersistentRef: CFString { "r_PersistentRef" }
  public var kSecReturnRef: CFString { "r_Ref" }
  public var kSecUseAuthenticationContext: CFString { "u_AuthCtx" }
  public var kSecUseDataProtectionKeychain: CFString { "nleg" }
  public var kSecValueData: CFString { "v_Data" }
  public var kSecValuePersistentRef: CFString { "v_PersistentRef" }
  public var kSecValueRef: CFString { "v_Ref" }

  @discardableResult public func SecItemAdd(
    _ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
  ) -> OSStatus {
    withoutKeychain
  }

  @discardableResult public func SecItemCopyMatching(
    _ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
  ) -> OSStatus {
    withoutKeychain
  }

  @discardableResult public func SecItemUpdate(
    _ query: CFDictionary, _ attributes: CFDictionary
  ) -> OSStatus {
    withoutKeychain
  }

  @discardableResult public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    withoutKeychain
  }

  /// Says once what the functions return.
  private let withoutKeychain: OSStatus = {
    let line =
      "AppleShim: Linux has no keychain: SecItemAdd, SecItemCopyMatching, SecItemUpdate and "
      + "SecItemDelete return errSecNotAvailable.\n"
    FileHandle.standardError.write(Data(line.utf8))
    return errSecNotAvailable
  }()
#endif
