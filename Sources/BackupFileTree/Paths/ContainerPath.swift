import BackupCollections
public import BackupDiagnostics
import Foundation

/// A path inside an app container, relative to it: `Documents/notes.db`.
///
/// It is never absolute or empty, has no `.`, `..` or empty component and no NUL, so it cannot name
/// anything outside the container. Every operation takes such a path.
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
  /// The maximum number of components in a path. Recursive walks go that deep on any thread's
  /// stack.
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
    let trimmed = bytes.last == Self.separator && bytes.count > 1 ? Array(bytes.dropLast()) : bytes
    if let reason = Self.problem(in: trimmed) {
      throw RunError(invalidPath: EscapedText.escape(bytes), reason: reason)
    }
    self.bytes = trimmed
  }

  /// Creates a path, or returns nil for bytes that name no item of a container.
  package init?(ifValid bytes: [UInt8]) {
    guard let path = try? ContainerPath(bytes: bytes) else { return nil }
    self = path
  }

  /// Creates a path, or returns nil for a text that names no item of a container.
  package init?(ifValid text: some StringProtocol) { self.init(ifValid: Array(text.utf8)) }

  /// Creates a path from bytes that were validated before, or that consist of such parts.
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

  /// Compares all bytes at once. In debug builds, such as tests, an array compares them one by one.
  public static func == (left: ContainerPath, right: ContainerPath) -> Bool {
    left.bytes.count == right.bytes.count && right.bytes.isBeginning(of: left.bytes)
  }

  /// Hashes all bytes at once. An array hashes them one by one.
  public func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }

  /// Returns the reason why `bytes` are not a path in a container, or nil.
  static func problem(in bytes: [UInt8]) -> String? {
    if bytes.isEmpty { return "is empty: name an item, such as 'Documents/notes.txt'" }
    if bytes.first == separator {
      return "is absolute: write it relative to the container, such as 'Documents/notes.txt'"
    }
    if bytes.contains(0) { return "has a NUL character, which no file name can contain" }
    if bytes.count > longestPath {
      return "has \(bytes.count) bytes; a path can have at most \(longestPath)"
    }
    var (count, start) = (0, 0)
    var problem: String?
    while start <= bytes.count {
      let end = bytes.firstByte(separator, from: start) ?? bytes.count
      if problem == nil { problem = Self.problem(inComponent: bytes[start..<end]) }
      (count, start) = (count + 1, end + 1)
    }
    if count > deepestPath {
      return "has \(count) components; a path can have at most \(deepestPath)"
    }
    return problem
  }

  /// Returns the reason why `component` is not a name, or nil.
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

  /// A name in a container: any bytes but NUL and `/`, at most 255 of them, compared byte by byte.
  ///
  /// A `String` compares by canonical equivalence and cannot hold invalid UTF-8, so two different
  /// files could have one string. A component never loses a byte.
  public struct Component: Sendable {
    /// The bytes of a path, of all names of a directory, or of the name alone.
    private let buffer: [UInt8]
    private let start: UInt32
    private let size: UInt32

    /// The maximum number of bytes in a name of a file system.
    public static let longestName = 255

    /// Creates a name from bytes that come from the file system, or that were validated before.
    package init(unchecked bytes: [UInt8]) {
      self.init(uncheckedIn: bytes, bytes.indices)
    }

    /// Creates a name from some bytes of a buffer, which several names can share.
    package init(uncheckedIn buffer: [UInt8], _ range: Range<Int>) {
      let fits = range.upperBound <= UInt32.max
      self.buffer = fits ? buffer : Array(buffer[range])
      self.start = fits ? UInt32(range.lowerBound) : 0
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

  /// The components from the container down.
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
    var joined: [UInt8] = []
    joined.reserveCapacity(bytes.count + 1 + component.count)
    joined += bytes
    joined.append(Self.separator)
    joined += component.slice
    return ContainerPath(unchecked: joined)
  }

  /// Creates the path of an item directly in a directory, or in the container if that is nil.
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
  /// cover it.
  package func moved(from source: ContainerPath, to target: ContainerPath) -> ContainerPath? {
    guard source.covers(self) else { return nil }
    return ContainerPath(unchecked: target.bytes + bytes.dropFirst(source.bytes.count))
  }

  /// Returns this path relative to the directory of `link`, with `..` if it leads up.
  package func relative(toDirectoryOf link: ContainerPath) -> [UInt8] {
    let base = link.components.dropLast()
    let own = components
    let shared = zip(base, own).prefix { $0 == $1 }.count
    let up = Array(repeating: Array("..".utf8), count: base.count - shared)
    let down = own.dropFirst(shared).map(\.bytes)
    let parts = up + down
    return parts.isEmpty ? [UInt8(ascii: ".")] : Array(parts.joined(separator: [Self.separator]))
  }

  /// Returns true if a walk over a tree visits this path before another.
  ///
  /// Unlike `<`, it puts all items in a directory before the directory's next sibling.
  ///
  /// - Parameter other: The other path.
  /// - Returns: True if the walk visits this path first; false for the path itself.
  public func precedesInWalk(_ other: ContainerPath) -> Bool {
    for (mine, theirs) in zip(bytes, other.bytes) where mine != theirs {
      if mine == Self.separator { return true }
      return theirs != Self.separator && mine < theirs
    }
    return bytes.count < other.bytes.count
  }

  /// The path on one line, control characters and invalid UTF-8 escaped.
  public var description: String { EscapedText.escape(bytes) }

  /// The path as text, with invalid UTF-8 replaced and nothing escaped.
  public var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Orders paths by their bytes, as golden files do.
  public static func < (left: ContainerPath, right: ContainerPath) -> Bool {
    left.bytes.precedesBytewise(right.bytes)
  }
}

extension ContainerPath.Component: Hashable, Comparable, CustomStringConvertible {
  /// Returns true if both have the same bytes.
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

  /// Compares the bytes up to the shorter length. The result is below, at or above 0.
  private func order(relativeTo other: ContainerPath.Component) -> Int32 {
    // Arrays become pointers without a closure, which costs a debug build several calls.
    func compare(_ mine: UnsafePointer<UInt8>, _ theirs: UnsafePointer<UInt8>) -> Int32 {
      memcmp(mine + Int(start), theirs + Int(other.start), Int(min(size, other.size)))
    }
    return compare(buffer, other.buffer)
  }

  /// The name on one line, control characters and invalid UTF-8 escaped.
  public var description: String { EscapedText.escape(bytes) }

  /// The suffixes of the files that SQLite keeps beside a database (sqlite.org/tempfiles.html).
  private static let databaseSuffixes: [StaticString] = ["-wal", "-shm", "-journal"]

  /// The name of the database that a file of this name belongs to, or nil.
  public var databaseName: ContainerPath.Component? {
    databaseSuffixCount.map { ContainerPath.Component(unchecked: Array(slice.dropLast($0))) }
  }

  /// The names of the files that SQLite may keep beside a database of this name.
  fileprivate var databaseSiblings: [ContainerPath.Component] {
    Self.databaseSuffixes.map { suffix in
      let bytes = UnsafeBufferPointer(start: suffix.utf8Start, count: suffix.utf8CodeUnitCount)
      return ContainerPath.Component(unchecked: Array(slice) + Array(bytes))
    }
  }

  /// True if SQLite keeps a file with this name beside a database.
  public var isDatabaseSibling: Bool { databaseSuffixCount != nil }

  /// The number of bytes that SQLite has appended to a database's name, or nil.
  private var databaseSuffixCount: Int? {
    let suffix = Self.databaseSuffixes.first { hasSuffix($0) && count > $0.utf8CodeUnitCount }
    return suffix?.utf8CodeUnitCount
  }

  package func hasPrefix(_ text: StaticString) -> Bool { has(text, at: 0) }

  package func hasSuffix(_ text: StaticString) -> Bool {
    has(text, at: count - text.utf8CodeUnitCount)
  }

  /// Returns true if a text is at an offset of the name. The offset may be outside of the name.
  package func has(_ text: StaticString, at offset: Int) -> Bool {
    let size = text.utf8CodeUnitCount
    guard offset >= 0, offset + size <= count else { return false }
    return withUnsafeBytes { name in
      guard size > 0, let name = name.baseAddress else { return size == 0 }
      // Most names differ in the first byte already.
      let isBegun = name.load(fromByteOffset: offset, as: UInt8.self) == text.utf8Start.pointee
      return isBegun && memcmp(name + offset, text.utf8Start, size) == 0
    }
  }

  private func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    buffer.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[Int(start)..<Int(start) + count]))
    }
  }
}

extension ContainerPath {
  /// The files that SQLite may keep beside a database at this path, its log first.
  package var databaseSiblings: [ContainerPath] {
    name.databaseSiblings.map { ContainerPath($0, in: parent) }
  }
}

extension [UInt8] {
  /// Returns true if these bytes sort before the others. Calls `memcmp` once instead of a loop.
  package func precedesBytewise(_ other: [UInt8]) -> Bool {
    let order = memcmp(self, other, Swift.min(count, other.count))
    return order == 0 ? count < other.count : order < 0
  }

  package func isBeginning(of other: [UInt8]) -> Bool {
    count <= other.count && memcmp(self, other, count) == 0
  }

  /// Returns the index of the first such byte from `start` on, or nil. The C library searches: in
  /// debug builds, such as tests, Swift's search calls a closure for each element.
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

  /// Returns the ranges between such bytes, which may be empty.
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
  /// Returns the element at a path by a binary search. The elements must have the order of a walk
  /// over a tree.
  package func element(at path: ContainerPath, by pathOf: (Element) -> ContainerPath) -> Element? {
    let index = partitioningIndex { !pathOf($0).precedesInWalk(path) }
    return index < endIndex && pathOf(self[index]) == path ? self[index] : nil
  }
}
