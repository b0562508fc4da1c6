extension LinuxShimSource {
  /// The part of the file with extended attributes, which hold the mark.
  static let attributes = #"""
      // MARK: - Extended attributes

      // Declared here because Swift's Glibc module leaves out <sys/xattr.h>.

      /// Sets an extended attribute of an item, not of what it links to; 0, or -1 with `errno`.
      @_silgen_name("lsetxattr")
      nonisolated private func linuxShimSetAttribute(
        _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>, _ value: UnsafeRawPointer,
        _ size: Int, _ flags: CInt
      ) -> CInt

      /// Reads an extended attribute of an item, not of what it links to; its size, or -1.
      @_silgen_name("lgetxattr")
      nonisolated private func linuxShimGetAttribute(
        _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>,
        _ value: UnsafeMutableRawPointer?, _ size: Int
      ) -> Int

      /// Lists the extended attributes of an item, not of what it links to; their size, or -1.
      @_silgen_name("llistxattr")
      nonisolated private func linuxShimListAttributes(
        _ path: UnsafePointer<CChar>, _ names: UnsafeMutableRawPointer?, _ size: Int
      ) -> Int

      /// Removes an extended attribute of an item, not of what it links to; 0, or -1 with `errno`.
      @_silgen_name("lremovexattr")
      nonisolated private func linuxShimRemoveAttribute(
        _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>
      ) -> CInt

      /// The extended attributes of items, in the namespace that Linux leaves to users.
      nonisolated private enum LinuxShimAttributes {
        /// Lists what an item bears.
        ///
        /// - Parameter path: The item's absolute path.
        /// - Returns: The names; none of a missing item, or where the volume stores none.
        static func names(atPath path: String) -> [String] {
          let buffer = unsafe fill { unsafe linuxShimListAttributes(path, $0, $1) }
          return (buffer ?? []).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            .filter { $0.hasPrefix("user.") }
        }

        /// Reads an attribute.
        ///
        /// - Parameters:
        ///   - name: The attribute's name.
        ///   - path: The item's absolute path.
        /// - Returns: The value; nil, with `errno`, where it cannot be read.
        static func value(of name: String, atPath path: String) -> [UInt8]? {
          unsafe fill { unsafe linuxShimGetAttribute(path, name, $0, $1) }
        }

        /// Sets an attribute.
        ///
        /// - Parameters:
        ///   - name: The attribute's name.
        ///   - value: What it is to hold.
        ///   - path: The item's absolute path.
        /// - Returns: 0, or the value of `errno`.
        static func set(_ name: String, to value: [UInt8], atPath path: String) -> CInt {
          let result = unsafe value.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else {
              return unsafe linuxShimSetAttribute(path, name, "", 0, 0)
            }
            return unsafe linuxShimSetAttribute(path, name, start, bytes.count, 0)
          }
          return result == 0 ? 0 : errno
        }

        /// Removes an attribute; one that is not there is no error.
        ///
        /// - Parameters:
        ///   - name: The attribute's name.
        ///   - path: The item's absolute path.
        /// - Returns: 0, or the value of `errno`.
        static func remove(_ name: String, atPath path: String) -> CInt {
          guard unsafe linuxShimRemoveAttribute(path, name) != 0 else { return 0 }
          return errno == ENODATA ? 0 : errno
        }

        /// Asks for a size, then for as many bytes; nil, with `errno`, where there is no answer.
        private static func fill(
          _ read: (UnsafeMutableRawPointer?, Int) -> Int
        ) -> [UInt8]? {
          let size = read(nil, 0)
          guard size > 0 else { return size == 0 ? [] : nil }
          var count = 0
          var buffer = [UInt8](repeating: 0, count: size)
          unsafe buffer.withUnsafeMutableBytes { count = unsafe read($0.baseAddress, size) }
          return count < 0 ? nil : Array(buffer.prefix(count))
        }
      }


    """#
}
