import BackupDiagnostics

/// One tree holds all containers that an app has on a device. The app's own is its top; each beside
/// it, a group's or an extension's, is a directory there that is named after its identifier, with a
/// colon: `group.x:/widget.json`. No app can make an item of such a name: on iOS it cannot write at
/// its container's top, and the kit refuses to.
extension ContainerPath {
  /// The name of the container beside the app's that the item is in, or that it is; nil for one in
  /// the app's own.
  package var containerName: Component? {
    let end = bytes.firstByte(Self.separator, from: 0) ?? bytes.endIndex
    guard bytes[..<end].last == Component.containerMark else { return nil }
    let name = Component(uncheckedIn: bytes, 0..<end)
    return name.isContainer ? name : nil
  }

  /// Where the item is in its container; nil for the container itself.
  package var pathInContainer: ContainerPath? {
    guard let name = containerName else { return self }
    return bytes.count > name.count
      ? ContainerPath(unchecked: Array(bytes.dropFirst(name.count + 1))) : nil
  }

  /// The path of an item by where it is in a container of a name, or in the app's own for nil.
  package init(_ path: ContainerPath, inContainer name: Component?) {
    guard let name else {
      self = path
      return
    }
    self.init(unchecked: Array(name.slice) + [Self.separator] + path.bytes)
  }

  package var isContainer: Bool { containerName?.count == bytes.count }

  /// Whether an extension can reach the item: in its own container, or in one of a group.
  package func isReached(byExtension identifier: String) -> Bool {
    containerName.map { $0.isGroup || $0.containerIdentifier == identifier } ?? false
  }
}

extension ContainerPath.Component {
  /// What the name of a container beside the app's ends with.
  static let containerMark = UInt8(ascii: ":")

  /// The name of the container that an identifier stands for: `group.x:`.
  package init(containerOf identifier: String) {
    self.init(unchecked: Array(identifier.utf8) + [Self.containerMark])
  }

  /// Whether a name at the top of the tree is that of a container beside the app's: an identifier
  /// of two parts or more, as those of groups and extensions are, and a colon.
  package var isContainer: Bool {
    guard slice.last == Self.containerMark else { return false }
    let parts = slice.dropLast().split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count > 1
      && parts.allSatisfy { part in
        !part.isEmpty && part.allSatisfy { Self.isAllowed($0) || $0 == UInt8(ascii: "_") }
      }
  }

  /// Whether it is the name of a group's container: identifiers of groups begin with `group.`.
  package var isGroup: Bool { isContainer && hasPrefix("group.") }

  package var containerIdentifier: String { String(string.dropLast()) }
}

// The identifiers by which an app has containers beside its own: of groups and of extensions.
extension ContainerPath.Component {
  /// The most bytes that an identifier may have, as a bundle identifier.
  package static let longestIdentifier = 155

  /// What is wrong with a text as the identifier of a group; nil if it is one. On iOS it begins
  /// with `group.` (`documented`: Apple, *App Groups Entitlement*).
  package static func problem(withGroup text: String) -> String? {
    guard !isIdentifier(text) || !text.hasPrefix("group.") else { return nil }
    return "'\(text.shown)' is not a group's identifier; expected letters, digits and hyphens, "
      + "separated by dots, such as \"group.com.example.app\""
  }

  /// What is wrong with a text as the bundle identifier of an extension, which begins with the
  /// app's if that is known; nil if it is one.
  package static func problem(withExtension text: String, of app: String? = nil) -> String? {
    if text.hasPrefix("group.") {
      return "'\(text.shown)' is a group's identifier, not an extension's; move it to 'groups'"
    }
    if isIdentifier(text), app.map({ text.hasPrefix("\($0).") }) != false { return nil }
    let example = "\(app ?? "com.example.app").widget"
    return "'\(text.shown)' is not an extension's bundle identifier; expected the app's "
      + "identifier, a dot and a name, such as \"\(example.shown)\""
  }

  /// What is wrong with the identifiers of an app's groups and extensions; nil if nothing is.
  package static func problem(
    withGroups groups: [String], extensions: [String], of app: String? = nil
  ) -> String? {
    var known: Set<String> = []
    let repeated = (groups + extensions).first { !known.insert($0).inserted }
    return groups.lazy.compactMap { problem(withGroup: $0) }.first
      ?? extensions.lazy.compactMap { problem(withExtension: $0, of: app) }.first
      ?? repeated.map { "'\($0)' appears twice; keep one" }
  }

  package static func isIdentifier(_ text: String) -> Bool {
    text.utf8.count <= longestIdentifier && ContainerPath.Component(containerOf: text).isContainer
  }

  package static let expectedApp = "a bundle identifier such as \"com.example.app\""

  /// What is wrong with a text as an app's bundle identifier, which has letters, digits and hyphens
  /// between its dots; nil if it is one.
  package static func problem(withApp text: String) -> String? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let isValid =
      text.utf8.count <= longestIdentifier
      && parts.allSatisfy { part in !part.isEmpty && part.utf8.allSatisfy(isAllowed) }
    guard !isValid else { return nil }
    return "'\(text.shown)' is not a bundle identifier; expected \(expectedApp)"
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
