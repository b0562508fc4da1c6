import BackupCollections
public import BackupDiagnostics
import Foundation

/// A path inside an app container, relative to it: `Documents/notes.db`.
///
/// A path is never absolute or empty. It has no NUL, and no component is empty, `.` or `..`. So it
/// cannot name an item outside the container.
///
/// ```swift
/// let notes = try ContainerPath("Documents/notes.db")
/// notes.parent?.description  // "Documents"
/// ```
public struct ContainerPath: Hashable, Sendable, CustomStringConvertible, Comparable {
  /// The path's bytes: its components, joined by `/`.
  public let bytes: [UInt8]

  /// The maximum number of bytes in a path: `PATH_MAX` on Apple platforms.
  public static let longestPath = 1024
  /// The maximum number of components in a path. Recursive walks to this depth fit on the stack of
  /// any thread.
  public static let deepestPath = 64

  /// Creates a path from a text of at most ``longestPath`` bytes. One trailing `/` is allowed.
  ///
  /// - Parameter string: A path relative to the container, joined by `/`; read as UTF-8.
  /// - Throws: ``RunError`` with the code `.invalidPath` that says which part is wrong.
  public init(_ string: some StringProtocol) throws(RunError) {
    try self.init(bytes: Array(string.utf8))
  }

  /// Creates a path from bytes, at most ``longestPath`` of them.
  ///
  /// - Parameter bytes: A path relative to the container, joined by `/`; need not be UTF-8.
  /// - Throws: ``RunError`` with the code `.invalidPath` that says which part is wrong.
  public init(bytes: [UInt8]) throws(RunError) {
    let trimmedBytes =
      bytes.last == Self.separator && bytes.count > 1 ? Array(bytes.dropLast()) : bytes
    if let reason = Self.problem(in: trimmedBytes) {
      throw RunError(invalidPath: EscapedText.escape(bytes), reason: reason)
    }
    self.bytes = trimmedBytes
  }

  /// Creates a path, or returns nil if the bytes are not a valid path.
  package init?(ifValid bytes: [UInt8]) {
    guard let path = try? ContainerPath(bytes: bytes) else { return nil }
    self = path
  }

  /// Creates a path, or returns nil if the text is not a valid path.
  package init?(ifValid text: some StringProtocol) { self.init(ifValid: Array(text.utf8)) }

  /// Creates a path from bytes that are known to be valid, such as those of a path's parent.
  package init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Creates the path of an item directly in the container.
  ///
  /// - Parameter component: The item's name.
  public init(_ component: Component) {
    self.bytes = component.bytes
  }

  package static let separator = UInt8(ascii: "/")

  /// Compares all bytes with one call. An array in a debug build would compare them one by one.
  public static func == (left: ContainerPath, right: ContainerPath) -> Bool {
    left.bytes.count == right.bytes.count && right.bytes.isBeginning(of: left.bytes)
  }

  /// Hashes all bytes with one call. An array would hash them one by one.
  public func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }

  /// Returns the reason why `bytes` are not a valid path, or nil if they are one.
  static func problem(in bytes: [UInt8]) -> String? {
    if bytes.isEmpty { return "is empty: name an item, such as 'Documents/notes.txt'" }
    if bytes.first == separator {
      return "is absolute: write it relative to the container, such as 'Documents/notes.txt'"
    }
    if bytes.contains(0) { return "has a NUL character, which no file name can contain" }
    if bytes.count > longestPath {
      return "has \(bytes.count) bytes; a path can have at most \(longestPath)"
    }
    var (componentCount, start) = (0, 0)
    var problem: String?
    while start <= bytes.count {
      let end = bytes.firstByte(separator, from: start) ?? bytes.count
      if problem == nil { problem = Self.problem(inComponent: bytes[start..<end]) }
      (componentCount, start) = (componentCount + 1, end + 1)
    }
    if componentCount > deepestPath {
      return "has \(componentCount) components; a path can have at most \(deepestPath)"
    }
    return problem
  }

  /// Returns the reason why `component` is not a valid name, or nil if it is one.
  private static func problem(inComponent component: ArraySlice<UInt8>) -> String? {
    if component.isEmpty { return "has an empty component: write a single '/' between names" }
    let isDots = component.count <= 2 && component.allSatisfy { $0 == UInt8(ascii: ".") }
    if isDots, component.count == 1 { return "has the component '.': remove it" }
    if isDots {
      return "has the component '..': a path cannot leave the container"
    }
    if component.count > Component.longestName {
      return "has a name of \(component.count) bytes; a name can have at most "
        + "\(Component.longestName)"
    }
    return nil
  }

  /// The name of an item in its directory. It has 1 to 255 bytes, but no NUL and no `/`.
  ///
  /// Components are compared byte by byte. Strings compare by canonical equivalence and cannot hold
  /// invalid UTF-8, so the names of two files could become equal strings.
  public struct Component: Sendable {
    /// Bytes that include those of the name: the bytes of a path, of all names in a directory, or
    /// of only this name.
    private let buffer: [UInt8]
    private let start: UInt32
    private let size: UInt32

    /// The maximum number of bytes in a name.
    public static let longestName = 255

    /// Creates a name from valid bytes, such as those that a file system returns.
    package init(unchecked bytes: [UInt8]) {
      self.init(uncheckedIn: bytes, bytes.indices)
    }

    /// Creates a name from valid bytes in a range of a buffer. Several names can share a buffer.
    package init(uncheckedIn buffer: [UInt8], _ range: Range<Int>) {
      let fitsUInt32 = range.upperBound <= UInt32.max
      self.buffer = fitsUInt32 ? buffer : Array(buffer[range])
      self.start = fitsUInt32 ? UInt32(range.lowerBound) : 0
      self.size = UInt32(range.count)
    }

    /// The name as the file system stores it.
    public var bytes: [UInt8] { Array(slice) }

    /// The name's bytes, without a copy.
    package var slice: ArraySlice<UInt8> { buffer[Int(start)..<Int(start) + count] }

    package var count: Int { Int(size) }

    /// The name as text, with invalid UTF-8 replaced.
    public var string: String { String(decoding: slice, as: UTF8.self) }
  }

  /// The names of the directories above the item, the topmost first, and the item's own name.
  public var components: [Component] {
    var components: [Component] = []
    var start = 0
    while let end = bytes.firstByte(Self.separator, from: start) {
      components.append(Component(uncheckedIn: bytes, start..<end))
      start = end + 1
    }
    return components + [Component(uncheckedIn: bytes, start..<bytes.count)]
  }

  /// The item's own name: the last component of the path.
  public var name: Component {
    let start = bytes.lastByte(Self.separator).map { $0 + 1 } ?? 0
    return Component(uncheckedIn: bytes, start..<bytes.count)
  }

  /// The directory above, or nil for an item directly in the container.
  public var parent: ContainerPath? {
    bytes.lastByte(Self.separator).map { ContainerPath(unchecked: Array(bytes[..<$0])) }
  }

  /// The directories above, the topmost first.
  public var ancestors: [ContainerPath] {
    var ancestors: [ContainerPath] = []
    var start = 0
    while let end = bytes.firstByte(Self.separator, from: start) {
      ancestors.append(ContainerPath(unchecked: Array(bytes[..<end])))
      start = end + 1
    }
    return ancestors
  }

  /// Returns the path of an item in this directory.
  ///
  /// - Parameter component: The item's name.
  /// - Returns: The joined path, which may be longer than ``longestPath``.
  public func appending(_ component: Component) -> ContainerPath {
    var joinedBytes: [UInt8] = []
    joinedBytes.reserveCapacity(bytes.count + 1 + component.count)
    joinedBytes += bytes
    joinedBytes.append(Self.separator)
    joinedBytes += component.slice
    return ContainerPath(unchecked: joinedBytes)
  }

  /// Creates the path of an item directly in a directory. If `directory` is nil, the item is
  /// directly in the container.
  package init(_ component: Component, in directory: ContainerPath?) {
    self = directory?.appending(component) ?? ContainerPath(component)
  }

  /// Returns true if this directory is above `other`. No path is above itself.
  ///
  /// - Parameter other: The path that may be inside.
  /// - Returns: False if only the bytes begin alike, as in `Documents` and `Documents2`.
  public func isAncestor(of other: ContainerPath) -> Bool {
    other.bytes.count > bytes.count && other.bytes[bytes.count] == Self.separator
      && bytes.isBeginning(of: other.bytes)
  }

  /// Returns true if `other` is this item or inside it.
  ///
  /// - Parameter other: The path that may be the same or inside.
  /// - Returns: True for the path itself too, unlike ``isAncestor(of:)``.
  public func covers(_ other: ContainerPath) -> Bool {
    self == other || isAncestor(of: other)
  }

  /// Returns the path of this item after a move of `source` to `target`; nil if `source` does not
  /// cover this item.
  package func moved(from source: ContainerPath, to target: ContainerPath) -> ContainerPath? {
    guard source.covers(self) else { return nil }
    return ContainerPath(unchecked: target.bytes + bytes.dropFirst(source.bytes.count))
  }

  /// Returns this path relative to the directory of `link`, for example `../b.txt`.
  package func relative(toDirectoryOf link: ContainerPath) -> [UInt8] {
    let linkDirectoryNames = link.components.dropLast()
    let ownNames = components
    let sharedCount = zip(linkDirectoryNames, ownNames).prefix { $0 == $1 }.count
    let upwardNames = Array(
      repeating: Array("..".utf8), count: linkDirectoryNames.count - sharedCount)
    let downwardNames = ownNames.dropFirst(sharedCount).map(\.bytes)
    let names = upwardNames + downwardNames
    return names.isEmpty ? [UInt8(ascii: ".")] : Array(names.joined(separator: [Self.separator]))
  }

  /// Returns true if a walk over a tree visits this path before another.
  ///
  /// Unlike `<`, this order puts all items in a directory before the directory's next sibling.
  ///
  /// - Parameter other: The other path.
  /// - Returns: True if the walk visits this path first; false for the path itself.
  public func precedesInWalk(_ other: ContainerPath) -> Bool {
    for (ownByte, otherByte) in zip(bytes, other.bytes) where ownByte != otherByte {
      if ownByte == Self.separator { return true }
      return otherByte != Self.separator && ownByte < otherByte
    }
    return bytes.count < other.bytes.count
  }

  /// The path on one line. Control characters and invalid UTF-8 are escaped.
  public var description: String { EscapedText.escape(bytes) }

  /// The path as text, with invalid UTF-8 replaced and nothing escaped.
  public var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Orders paths by their bytes, as golden files do.
  public static func < (left: ContainerPath, right: ContainerPath) -> Bool {
    left.bytes.precedesBytewise(right.bytes)
  }
}

extension ContainerPath.Component: Hashable, Comparable, CustomStringConvertible {
  /// Returns true if both names have the same bytes.
  public static func == (left: ContainerPath.Component, right: ContainerPath.Component) -> Bool {
    left.size == right.size && left.order(relativeTo: right) == 0
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    withUnsafeBytes { hasher.combine(bytes: $0) }
  }

  /// Orders names by their bytes, as golden files do.
  public static func < (left: ContainerPath.Component, right: ContainerPath.Component) -> Bool {
    let order = left.order(relativeTo: right)
    return order == 0 ? left.size < right.size : order < 0
  }

  /// Compares the bytes up to the shorter length. Returns the result of memcmp(3).
  private func order(relativeTo other: ContainerPath.Component) -> Int32 {
    // Passes the arrays as pointers, because a closure would cost several calls in debug builds.
    func compare(_ ownBytes: UnsafePointer<UInt8>, _ otherBytes: UnsafePointer<UInt8>) -> Int32 {
      memcmp(ownBytes + Int(start), otherBytes + Int(other.start), Int(min(size, other.size)))
    }
    return compare(buffer, other.buffer)
  }

  /// The name on one line. Control characters and invalid UTF-8 are escaped.
  public var description: String { EscapedText.escape(bytes) }

  /// The suffixes of the files that SQLite keeps beside a database (sqlite.org/tempfiles.html).
  private static let databaseSuffixes: [StaticString] = ["-wal", "-shm", "-journal"]

  /// The name of the database that a file with this name belongs to: `a.db` for `a.db-wal`. Nil for
  /// any other name.
  public var databaseName: ContainerPath.Component? {
    databaseSuffixCount.map { ContainerPath.Component(unchecked: Array(slice.dropLast($0))) }
  }

  /// The names of the files that SQLite may keep beside a database with this name.
  fileprivate var databaseSiblings: [ContainerPath.Component] {
    Self.databaseSuffixes.map { suffix in
      let bytes = UnsafeBufferPointer(start: suffix.utf8Start, count: suffix.utf8CodeUnitCount)
      return ContainerPath.Component(unchecked: Array(slice) + Array(bytes))
    }
  }

  /// True if SQLite keeps a file with this name beside a database.
  public var isDatabaseSibling: Bool { databaseSuffixCount != nil }

  /// The number of bytes in the suffix that SQLite appends to a database's name: 4 for `a.db-wal`.
  /// Nil for any other name.
  private var databaseSuffixCount: Int? {
    let suffix = Self.databaseSuffixes.first { hasSuffix($0) && count > $0.utf8CodeUnitCount }
    return suffix?.utf8CodeUnitCount
  }

  package func hasPrefix(_ text: StaticString) -> Bool { has(text, at: 0) }

  package func hasSuffix(_ text: StaticString) -> Bool {
    has(text, at: count - text.utf8CodeUnitCount)
  }

  /// Returns true if the name has a text at an offset. The offset may be outside of the name.
  package func has(_ text: StaticString, at offset: Int) -> Bool {
    let size = text.utf8CodeUnitCount
    guard offset >= 0, offset + size <= count else { return false }
    return withUnsafeBytes { name in
      guard size > 0, let name = name.baseAddress else { return size == 0 }
      // Compares the first byte before the call of memcmp(3), because most names differ in it.
      let hasSameFirstByte =
        name.load(fromByteOffset: offset, as: UInt8.self) == text.utf8Start.pointee
      return hasSameFirstByte && memcmp(name + offset, text.utf8Start, size) == 0
    }
  }

  private func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    buffer.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[Int(start)..<Int(start) + count]))
    }
  }
}

extension ContainerPath {
  /// The paths of the files that SQLite may keep beside a database at this path, the log first.
  package var databaseSiblings: [ContainerPath] {
    name.databaseSiblings.map { ContainerPath($0, in: parent) }
  }
}

extension [UInt8] {
  /// Returns true if these bytes sort before the others. Calls memcmp(3), which is faster than a
  /// loop.
  package func precedesBytewise(_ other: [UInt8]) -> Bool {
    let order = memcmp(self, other, Swift.min(count, other.count))
    return order == 0 ? count < other.count : order < 0
  }

  package func isBeginning(of other: [UInt8]) -> Bool {
    count <= other.count && memcmp(self, other, count) == 0
  }

  /// Returns the index of the first byte at or after `start` that equals `byte`, or nil. Uses
  /// memchr(3), because Swift's own search calls a closure for each element in debug builds.
  package func firstByte(_ byte: UInt8, from start: Int) -> Int? {
    withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, start < bytes.count else { return nil }
      return memchr(base + start, Int32(byte), bytes.count - start).map {
        UnsafeRawPointer($0) - base
      }
    }
  }

  fileprivate func lastByte(_ byte: UInt8) -> Int? {
    var index = count
    while index > 0 {
      index -= 1
      if self[index] == byte { return index }
    }
    return nil
  }

  /// Returns the ranges into which occurrences of `byte` split the bytes. A range may be empty.
  package func ranges(between byte: UInt8) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    while let end = firstByte(byte, from: start) {
      ranges.append(start..<end)
      start = end + 1
    }
    ranges.append(start..<count)
    return ranges
  }
}

extension RandomAccessCollection {
  /// Returns the element with a path, or nil, by a binary search. The elements must be in the order
  /// of ``FileTree/walk(_:)``.
  package func element(at path: ContainerPath, by pathOf: (Element) -> ContainerPath) -> Element? {
    let index = partitioningIndex { !pathOf($0).precedesInWalk(path) }
    return index < endIndex && pathOf(self[index]) == path ? self[index] : nil
  }
}
