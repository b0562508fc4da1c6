import BackupDiagnostics

/// One tree has all containers of an app.
///
/// The top of the tree is the app's own container. The container of a group or an extension is a
/// directory at the top. Its name is the identifier and a colon: `group.x:/widget.json`. An app
/// cannot create an item with a name like this, because iOS lets no app write at the top of its
/// container. The kit also refuses to create such an item.
extension ContainerPath {
  /// The name of the group's or extension's container that the path names or leads into; nil for a
  /// path in the app's own container.
  package var containerName: Component? {
    let end = bytes.firstByte(Self.separator, from: 0) ?? bytes.endIndex
    guard bytes[..<end].last == Component.containerSuffix else { return nil }
    let name = Component(uncheckedIn: bytes, 0..<end)
    return name.isContainer ? name : nil
  }

  /// The path relative to the item's container: `widget.json` for `group.x:/widget.json`. Nil for
  /// the container itself.
  package var pathWithoutContainerName: ContainerPath? {
    guard let name = containerName else { return self }
    return bytes.count > name.count
      ? ContainerPath(unchecked: Array(bytes.dropFirst(name.count + 1))) : nil
  }

  /// Creates the path of an item from its path in a container. `name` is the container's name; nil
  /// for the app's own container.
  package init(_ path: ContainerPath, inContainer name: Component?) {
    guard let name else {
      self = path
      return
    }
    self.init(unchecked: Array(name.slice) + [Self.separator] + path.bytes)
  }

  package var isContainer: Bool { containerName?.count == bytes.count }

  /// Returns true if an extension can access the item. An extension can access its own container
  /// and the groups' containers.
  package func isReachable(byExtension identifier: String) -> Bool {
    containerName.map { $0.isGroup || $0.containerIdentifier == identifier } ?? false
  }
}

extension ContainerPath.Component {
  /// The last byte in the name of a group's or extension's container.
  static let containerSuffix = UInt8(ascii: ":")

  /// Creates the name of a container from its identifier: `group.x:` from `group.x`.
  package init(containerOf identifier: String) {
    self.init(unchecked: Array(identifier.utf8) + [Self.containerSuffix])
  }

  /// True if the name consists of an identifier with at least one dot, and a colon. At the top of a
  /// tree, only containers of groups and extensions have such names.
  package var isContainer: Bool {
    guard slice.last == Self.containerSuffix else { return false }
    let parts = slice.dropLast().split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count > 1
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.allSatisfy { Self.isLetterDigitOrHyphen($0) || $0 == UInt8(ascii: "_") }
      }
  }

  /// True for the name of a group's container. Identifiers of groups begin with `group.`.
  package var isGroup: Bool { isContainer && hasPrefix("group.") }

  package var containerIdentifier: String { String(string.dropLast()) }
}

// Checks of the identifiers of groups, extensions and apps.
extension ContainerPath.Component {
  /// The maximum number of bytes in an identifier.
  package static let longestIdentifier = 155

  /// Returns the reason why a text is not the identifier of a group, or nil if it is one. The
  /// identifier must begin with `group.` (`documented`: Apple, *App Groups Entitlement*).
  package static func problem(withGroup text: String) -> String? {
    guard !isIdentifier(text) || !text.hasPrefix("group.") else { return nil }
    return
      "'\(text.escapedExcerpt)' is not a group's identifier; expected letters, digits and hyphens, "
      + "separated by dots, such as \"group.com.example.app\""
  }

  /// Returns the reason why a text is not the bundle identifier of an extension, or nil if it is
  /// one. If `app` is not nil, the identifier must begin with this app's identifier.
  package static func problem(withExtension text: String, of app: String? = nil) -> String? {
    if text.hasPrefix("group.") {
      return
        "'\(text.escapedExcerpt)' is a group's identifier, not an extension's; move it to 'groups'"
    }
    if isIdentifier(text), app.map({ text.hasPrefix("\($0).") }) != false { return nil }
    let example = "\(app ?? "com.example.app").widget"
    return "'\(text.escapedExcerpt)' is not an extension's bundle identifier; expected the app's "
      + "identifier, a dot and a name, such as \"\(example.escapedExcerpt)\""
  }

  /// Returns the first problem with the identifiers of an app's groups and extensions, or nil.
  package static func problem(
    withGroups groups: [String], extensions: [String], of app: String? = nil
  ) -> String? {
    var seenIdentifiers: Set<String> = []
    let repeatedIdentifier = (groups + extensions).first { !seenIdentifiers.insert($0).inserted }
    return groups.lazy.compactMap { problem(withGroup: $0) }.first
      ?? extensions.lazy.compactMap { problem(withExtension: $0, of: app) }.first
      ?? repeatedIdentifier.map { "'\($0)' appears twice; keep one" }
  }

  package static func isIdentifier(_ text: String) -> Bool {
    text.utf8.count <= longestIdentifier && ContainerPath.Component(containerOf: text).isContainer
  }

  package static let expectedAppIdentifier = "a bundle identifier such as \"com.example.app\""

  /// Returns the reason why a text is not an app's bundle identifier, or nil if it is one. The
  /// identifier must have letters, digits or hyphens before and after each dot.
  package static func problem(withApp text: String) -> String? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let isValid =
      text.utf8.count <= longestIdentifier
      && parts.allSatisfy { part in !part.isEmpty && part.utf8.allSatisfy(isLetterDigitOrHyphen) }
    guard !isValid else { return nil }
    return "'\(text.escapedExcerpt)' is not a bundle identifier; expected \(expectedAppIdentifier)"
  }

  private static func isLetterDigitOrHyphen(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
