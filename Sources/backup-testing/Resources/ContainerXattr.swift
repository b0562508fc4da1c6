#if os(Linux) && compiler(>=6.3)
  import Foundation

  // MARK: - Darwin's functions for extended attributes

  /// Do not follow a symbolic link.
  nonisolated let XATTR_NOFOLLOW: CInt = 0x0001
  /// Fail where the attribute is there.
  nonisolated let XATTR_CREATE: CInt = 0x0002
  /// Fail where the attribute is not there.
  nonisolated let XATTR_REPLACE: CInt = 0x0004
  /// What Linux calls `ENODATA`.
  nonisolated let ENOATTR: CInt = ENODATA

  /// Sets an attribute of an item; 0, or -1 with `errno`.
  nonisolated func setxattr(
    _ path: UnsafePointer<CChar>!, _ name: UnsafePointer<CChar>!, _ value: UnsafeRawPointer!,
    _ size: Int, _ position: UInt32, _ options: CInt
  ) -> CInt {
    unsafe LinuxShimXattr(path, options).set(name, value, size, position, options)
  }

  /// Reads an attribute of an item, or with a size of 0 its size; -1 with `errno` where it fails.
  nonisolated func getxattr(
    _ path: UnsafePointer<CChar>!, _ name: UnsafePointer<CChar>!,
    _ value: UnsafeMutableRawPointer!, _ size: Int, _ position: UInt32, _ options: CInt
  ) -> Int {
    unsafe LinuxShimXattr(path, options).get(name, value, size, position, options)
  }

  /// Removes an attribute of an item; 0, or -1 with `errno`.
  nonisolated func removexattr(
    _ path: UnsafePointer<CChar>!, _ name: UnsafePointer<CChar>!, _ options: CInt
  ) -> CInt {
    unsafe LinuxShimXattr(path, options).remove(name, options)
  }

  /// Lists the names of an item's attributes, each ended by a NUL; -1 with `errno` where it fails.
  nonisolated func listxattr(
    _ path: UnsafePointer<CChar>!, _ names: UnsafeMutablePointer<CChar>!, _ size: Int,
    _ options: CInt
  ) -> Int {
    unsafe LinuxShimXattr(path, options).list(names, size, options)
  }

  /// As `setxattr`, of an open file.
  nonisolated func fsetxattr(
    _ file: CInt, _ name: UnsafePointer<CChar>!, _ value: UnsafeRawPointer!, _ size: Int,
    _ position: UInt32, _ options: CInt
  ) -> CInt {
    unsafe LinuxShimXattr.file(file).set(name, value, size, position, options)
  }

  /// As `getxattr`, of an open file.
  nonisolated func fgetxattr(
    _ file: CInt, _ name: UnsafePointer<CChar>!, _ value: UnsafeMutableRawPointer!, _ size: Int,
    _ position: UInt32, _ options: CInt
  ) -> Int {
    unsafe LinuxShimXattr.file(file).get(name, value, size, position, options)
  }

  /// As `removexattr`, of an open file.
  nonisolated func fremovexattr(
    _ file: CInt, _ name: UnsafePointer<CChar>!, _ options: CInt
  ) -> CInt {
    unsafe LinuxShimXattr.file(file).remove(name, options)
  }

  /// As `listxattr`, of an open file.
  nonisolated func flistxattr(
    _ file: CInt, _ names: UnsafeMutablePointer<CChar>!, _ size: Int, _ options: CInt
  ) -> Int {
    unsafe LinuxShimXattr.file(file).list(names, size, options)
  }

  /// An item as a call names it, and what Darwin's functions do with it by those of Linux, where a
  /// name that an app may set begins with "user.".
  nonisolated private enum LinuxShimXattr {
    /// By its path, which may lead through a link.
    case path(String)
    /// By its path, a link itself.
    case link(String)
    /// By its descriptor.
    case file(CInt)

    /// What the kit leaves on an item while the mark of a name is taken off.
    private static let probes = [
      "com.apple.MobileBackup": "user.swift-backup-testing.probe.attribute",
      "com.apple.metadata:com_apple_backup_excludeItem": "user.swift-backup-testing.probe",
    ]

    /// An item by its path.
    init(_ path: UnsafePointer<CChar>!, _ options: CInt) {
      let path = unsafe path.map { unsafe String(cString: $0) } ?? ""
      self = options & XATTR_NOFOLLOW != 0 ? .link(path) : .path(path)
    }

    /// Darwin's `setxattr`.
    func set(
      _ name: UnsafePointer<CChar>!, _ value: UnsafeRawPointer!, _ size: Int, _ position: UInt32,
      _ options: CInt
    ) -> CInt {
      let both = XATTR_CREATE | XATTR_REPLACE
      guard position == 0, options & ~(XATTR_NOFOLLOW | both) == 0, options & both != both,
        let name = unsafe Self.name(name)
      else { return Self.fail(unsafe Self.mistake(in: name)) }
      // Linux has 1 for an attribute that must be new, and 2 for one that must be there.
      let flags = (options & XATTR_CREATE) / 2 | (options & XATTR_REPLACE) / 2
      let full = "user.\(name)"
      let result =
        switch self {
        case .path(let path): unsafe linuxShimXattrSet(path, full, value, size, flags)
        case .link(let path): unsafe linuxShimSetAttribute(path, full, value, size, flags)
        case .file(let file): unsafe linuxShimXattrSetFile(file, full, value, size, flags)
        }
      guard result != 0 else { return 0 }
      let code = errno
      if code == ENOENT || code == ENOTDIR, Self.probes[name] != nil { noteMissing() }
      return Self.fail(code)
    }

    /// Darwin's `getxattr`.
    func get(
      _ name: UnsafePointer<CChar>!, _ value: UnsafeMutableRawPointer!, _ size: Int,
      _ position: UInt32, _ options: CInt
    ) -> Int {
      guard position == 0, options & ~XATTR_NOFOLLOW == 0, let name = unsafe Self.name(name) else {
        return Int(Self.fail(unsafe Self.mistake(in: name)))
      }
      let full = "user.\(name)"
      return switch self {
      case .path(let path): unsafe linuxShimXattrGet(path, full, value, size)
      case .link(let path): unsafe linuxShimGetAttribute(path, full, value, size)
      case .file(let file): unsafe linuxShimXattrGetFile(file, full, value, size)
      }
    }

    /// Darwin's `removexattr`; a mark is removed though the kit has taken it off for the time being.
    func remove(_ name: UnsafePointer<CChar>!, _ options: CInt) -> CInt {
      guard options & ~XATTR_NOFOLLOW == 0, let name = unsafe Self.name(name) else {
        return Self.fail(unsafe Self.mistake(in: name))
      }
      let hadProbe = Self.probes[name].map { removeOne($0) == 0 } ?? false
      let result = removeOne("user.\(name)")
      return result != 0 && errno == ENODATA && hadProbe ? 0 : result
    }

    /// Darwin's `listxattr`: the names that an app may have set, without what Linux puts before them.
    func list(_ names: UnsafeMutablePointer<CChar>!, _ size: Int, _ options: CInt) -> Int {
      guard options & ~XATTR_NOFOLLOW == 0 else { return Int(Self.fail(EINVAL)) }
      var all = [CChar](repeating: 0, count: max(0, listAll(nil, 0)))
      let total = unsafe all.withUnsafeMutableBufferPointer {
        unsafe listAll($0.baseAddress, $0.count)
      }
      guard total >= 0 else { return total }
      let prefix = Array("user.".utf8CString.dropLast())
      let own = Array("user.swift-backup-testing.".utf8CString.dropLast())
      let kept = all.prefix(total).split(separator: 0)
        .filter { $0.starts(with: prefix) && !$0.starts(with: own) }
        .flatMap { $0.dropFirst(prefix.count) + [0] }
      guard let names = unsafe names, size > 0 else { return kept.count }
      guard kept.count <= size else { return Int(Self.fail(ERANGE)) }
      for (offset, byte) in kept.enumerated() { unsafe names[offset] = byte }
      return kept.count
    }

    /// Removes an attribute that has a name of Linux's.
    private func removeOne(_ name: String) -> CInt {
      switch self {
      case .path(let path): unsafe linuxShimXattrRemove(path, name)
      case .link(let path): unsafe linuxShimRemoveAttribute(path, name)
      case .file(let file): unsafe linuxShimXattrRemoveFile(file, name)
      }
    }

    /// Lists every name, or with a size of 0 says how many bytes that takes.
    private func listAll(_ names: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int {
      switch self {
      case .path(let path): unsafe linuxShimXattrList(path, names, size)
      case .link(let path): unsafe linuxShimListAttributes(path, names, size)
      case .file(let file): unsafe linuxShimXattrListFile(file, names, size)
      }
    }

    /// Tells the kit that a mark was set where nothing is.
    private func noteMissing() {
      switch self {
      case .path(let path), .link(let path):
        LinuxShimMark.tellKit(
          of: URL(fileURLWithPath: path).path, in: "marks-on-missing-items")
      case .file: break
      }
    }

    /// A name that Darwin takes: of 1 to 127 bytes.
    private static func name(_ name: UnsafePointer<CChar>!) -> String? {
      let text = unsafe name.map { unsafe String(cString: $0) } ?? ""
      return 1...127 ~= text.utf8.count ? text : nil
    }

    /// Why a call is refused: for the length of its name, or else for another argument.
    private static func mistake(in name: UnsafePointer<CChar>!) -> CInt {
      let length = unsafe name.map { unsafe strlen($0) } ?? 0
      return length > 127 ? ENAMETOOLONG : EINVAL
    }

    /// Leaves a code in `errno`.
    private static func fail(_ code: CInt) -> CInt {
      errno = code
      return -1
    }
  }

  // MARK: - The functions of Linux

  // Those that follow no link are declared with the marks.

  @_silgen_name("setxattr")
  nonisolated private func linuxShimXattrSet(
    _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>, _ value: UnsafeRawPointer?,
    _ size: Int, _ flags: CInt
  ) -> CInt

  @_silgen_name("getxattr")
  nonisolated private func linuxShimXattrGet(
    _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>,
    _ value: UnsafeMutableRawPointer?, _ size: Int
  ) -> Int

  @_silgen_name("removexattr")
  nonisolated private func linuxShimXattrRemove(
    _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>
  ) -> CInt

  @_silgen_name("listxattr")
  nonisolated private func linuxShimXattrList(
    _ path: UnsafePointer<CChar>, _ names: UnsafeMutableRawPointer?, _ size: Int
  ) -> Int

  @_silgen_name("fsetxattr")
  nonisolated private func linuxShimXattrSetFile(
    _ file: CInt, _ name: UnsafePointer<CChar>, _ value: UnsafeRawPointer?,
    _ size: Int, _ flags: CInt
  ) -> CInt

  @_silgen_name("fgetxattr")
  nonisolated private func linuxShimXattrGetFile(
    _ file: CInt, _ name: UnsafePointer<CChar>,
    _ value: UnsafeMutableRawPointer?, _ size: Int
  ) -> Int

  @_silgen_name("fremovexattr")
  nonisolated private func linuxShimXattrRemoveFile(
    _ file: CInt, _ name: UnsafePointer<CChar>
  ) -> CInt

  @_silgen_name("flistxattr")
  nonisolated private func linuxShimXattrListFile(
    _ file: CInt, _ names: UnsafeMutableRawPointer?, _ size: Int
  ) -> Int
#endif
