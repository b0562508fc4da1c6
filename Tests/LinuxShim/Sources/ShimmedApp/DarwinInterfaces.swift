import Foundation

/// An app's calls of interfaces that Foundation and Glibc on Linux lack, or implement differently.
///
/// This code does not know the shim.
public enum DarwinInterfaces {
  /// Finds the shared container of a group.
  ///
  /// - Parameter group: The group's identifier.
  /// - Returns: The container's root; nil if the app is not in the group.
  public static func shared(_ group: String) -> URL? {
    FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
  }

  /// The app's bundle identifier.
  public static var identifier: String? { Bundle.main.bundleIdentifier }

  /// Reads a missing file, and looks for the underlying error of the system.
  ///
  /// - Parameter file: The missing file.
  /// - Returns: The domain and the code of the underlying `NSError`; nil if there is none.
  public static func cause(ofReading file: URL) -> (domain: String, code: Int)? {
    do {
      _ = try Data(contentsOf: file)
      return nil
    } catch {
      let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
      return underlying.map { ($0.domain, $0.code) }
    }
  }

  /// Stores URLs in the defaults and removes them again.
  ///
  /// - Parameter urls: The URLs.
  /// - Returns: A text for each URL with the stored string, the URL that is read back, and the path
  ///   after the removal, which should be `nil`.
  public static func kept(_ urls: [URL]) -> [String] {
    let defaults = UserDefaults.standard
    return urls.map { url in
      defaults.set(url, forKey: "place")
      let text = defaults.string(forKey: "place") ?? "no text"
      let readBack = defaults.url(forKey: "place")?.absoluteString ?? "nil"
      defaults.set(nil as URL?, forKey: "place")
      return "\(text) \(readBack) \(defaults.url(forKey: "place")?.path ?? "nil")"
    }
  }

  /// Stores a value in the defaults by key-value coding, and removes it again.
  ///
  /// - Parameter value: The value.
  /// - Returns: The value that is read back, and the value after the removal.
  public static func coded(_ value: String) -> (kept: String?, after: String?) {
    let defaults = UserDefaults.standard
    defaults.setValue(value, forKey: "coded")
    let kept = defaults.value(forKey: "coded") as? String
    defaults.setValue(nil, forKey: "coded")
    return (kept, defaults.value(forKey: "coded") as? String)
  }

  /// Creates the URLs of a file and of a directory at a path, by the class `NSURL`.
  public static func file(_ path: String) -> [URL] {
    [NSURL.fileURL(withPath: path), NSURL.fileURL(withPath: path, isDirectory: true)]
  }

  /// Calls on extended attributes. Each returns a result, or a negative error code.
  public enum Attribute {
    /// Sets an attribute to one byte.
    public static func set(_ name: String, on path: String, _ options: CInt = 0) -> CInt {
      var value: UInt8 = 1
      return setxattr(path, name, &value, 1, 0, options) == 0 ? 0 : -errno
    }

    /// Reads the size of an attribute.
    public static func size(of name: String, on path: String, position: UInt32 = 0) -> Int {
      let size = getxattr(path, name, nil, 0, position, XATTR_NOFOLLOW)
      return size >= 0 ? size : Int(-errno)
    }

    /// Removes an attribute.
    public static func remove(_ name: String, on path: String) -> CInt {
      removexattr(path, name, XATTR_NOFOLLOW) == 0 ? 0 : -errno
    }

    /// Lists the names of all attributes.
    public static func names(on path: String) -> [String] {
      var buffer = [CChar](repeating: 0, count: max(0, listxattr(path, nil, 0, 0)))
      let count = listxattr(path, &buffer, buffer.count, 0)
      return buffer.prefix(max(count, 0)).split(separator: 0)
        .map { String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self) }
    }

    /// Sets, reads, lists and removes an attribute of an open file.
    public static func roundTrip(of name: String, on file: URL) throws -> [Int] {
      let handle = try FileHandle(forUpdating: file)
      defer { try? handle.close() }
      let descriptor = handle.fileDescriptor
      let set = fsetxattr(descriptor, name, "kit", 3, 0, XATTR_CREATE)
      let size = fgetxattr(descriptor, name, nil, 0, 0, 0)
      let listed = flistxattr(descriptor, nil, 0, 0)
      return [Int(set), size, listed, Int(fremovexattr(descriptor, name, 0))]
    }

    /// The options of `setxattr`.
    public static var options: (create: CInt, replace: CInt) { (XATTR_CREATE, XATTR_REPLACE) }
    /// The error code for a missing attribute.
    public static var missing: CInt { ENOATTR }
  }
}
