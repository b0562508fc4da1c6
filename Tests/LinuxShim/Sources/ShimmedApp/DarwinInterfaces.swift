import Foundation

/// What app code asks of Darwin that Foundation and Glibc on Linux do not declare, or answer
/// otherwise: nothing here knows of a shim.
public enum DarwinInterfaces {
  /// Where a group's shared container is.
  ///
  /// - Parameter group: The group's identifier.
  /// - Returns: The container's root; nil where the app is not in the group.
  public static func shared(_ group: String) -> URL? {
    FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
  }

  /// What the app is called.
  public static var identifier: String? { Bundle.main.bundleIdentifier }

  /// The system's code beneath the error of reading a missing file, as recovery code finds it.
  ///
  /// - Parameter file: A file that is not there.
  /// - Returns: The domain and code; nil where it finds no `NSError`.
  public static func cause(ofReading file: URL) -> (domain: String, code: Int)? {
    do {
      _ = try Data(contentsOf: file)
      return nil
    } catch {
      let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
      return underlying.map { ($0.domain, $0.code) }
    }
  }

  /// Keeps URLs in the defaults, as code does that believes that they stay true.
  ///
  /// - Parameter urls: The URLs to keep.
  /// - Returns: Of each what is kept in its place, and what is read again; then what is there when
  ///   it was taken away.
  public static func kept(_ urls: [URL]) -> [String] {
    let defaults = UserDefaults.standard
    return urls.map { url in
      defaults.set(url, forKey: "place")
      let text = defaults.string(forKey: "place") ?? "no text"
      let found = defaults.url(forKey: "place")?.absoluteString ?? "nil"
      defaults.set(nil as URL?, forKey: "place")
      return "\(text) \(found) \(defaults.url(forKey: "place")?.path ?? "nil")"
    }
  }

  /// Keeps a value by key-value coding, as Objective-C has it, and takes it away.
  ///
  /// - Parameter value: The value to keep.
  /// - Returns: What is read again, and what is there after.
  public static func coded(_ value: String) -> (kept: String?, after: String?) {
    let defaults = UserDefaults.standard
    defaults.setValue(value, forKey: "coded")
    let kept = defaults.value(forKey: "coded") as? String
    defaults.setValue(nil, forKey: "coded")
    return (kept, defaults.value(forKey: "coded") as? String)
  }

  /// A file's URL, as it came from Objective-C.
  public static func file(_ path: String) -> [URL] {
    [NSURL.fileURL(withPath: path), NSURL.fileURL(withPath: path, isDirectory: true)]
  }

  /// What app code does with extended attributes, as results or negative error codes.
  public enum Attribute {
    /// Sets one of a byte.
    public static func set(_ name: String, on path: String, _ options: CInt = 0) -> CInt {
      var value: UInt8 = 1
      return setxattr(path, name, &value, 1, 0, options) == 0 ? 0 : -errno
    }

    /// Reads one's size.
    public static func size(of name: String, on path: String, position: UInt32 = 0) -> Int {
      let size = getxattr(path, name, nil, 0, position, XATTR_NOFOLLOW)
      return size >= 0 ? size : Int(-errno)
    }

    /// Removes one.
    public static func remove(_ name: String, on path: String) -> CInt {
      removexattr(path, name, XATTR_NOFOLLOW) == 0 ? 0 : -errno
    }

    /// Lists the names.
    public static func names(on path: String) -> [String] {
      var buffer = [CChar](repeating: 0, count: max(0, listxattr(path, nil, 0, 0)))
      let count = listxattr(path, &buffer, buffer.count, 0)
      return buffer.prefix(max(count, 0)).split(separator: 0)
        .map { String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self) }
    }

    /// Sets, reads, lists and removes one of an open file, which leaves nothing.
    public static func roundTrip(of name: String, on file: URL) throws -> [Int] {
      let handle = try FileHandle(forUpdating: file)
      defer { try? handle.close() }
      let descriptor = handle.fileDescriptor
      let set = fsetxattr(descriptor, name, "kit", 3, 0, XATTR_CREATE)
      let size = fgetxattr(descriptor, name, nil, 0, 0, 0)
      let listed = flistxattr(descriptor, nil, 0, 0)
      return [Int(set), size, listed, Int(fremovexattr(descriptor, name, 0))]
    }

    /// The codes and options by which results are compared.
    public static var options: (create: CInt, replace: CInt) { (XATTR_CREATE, XATTR_REPLACE) }
    /// The code of a missing attribute.
    public static var missing: CInt { ENOATTR }
  }
}
