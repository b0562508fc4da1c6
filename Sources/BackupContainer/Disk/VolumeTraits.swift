import BackupDiagnostics
import BackupFileTree
import Foundation

/// The names that a volume refuses, and the different names that it treats as one.
///
/// The names in a container are bytes. A scenario may have two names that a Mac's usual volume
/// treats as one. The disk would then silently differ from the tree, so the kit refuses such names.
struct VolumeTraits: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  /// `a` and `A` are one name, as on a Mac's usual volume. On an iOS device they are two.
  static let ignoresCase = VolumeTraits(rawValue: 1)
  /// `é` and `e` with a combining accent are one name, as on every volume of APFS for macOS.
  static let ignoresNormalization = VolumeTraits(rawValue: 2)
  /// A name that is not UTF-8 is refused, as on every volume of APFS.
  static let requiresUTF8 = VolumeTraits(rawValue: 4)

  /// The volume accepts any bytes and distinguishes all names, as Linux's volumes do.
  static let exact: VolumeTraits = []
  static let usualOnMac: VolumeTraits = [.ignoresCase, .ignoresNormalization, .requiresUTF8]

  /// Returns a different name in `names` that the volume treats as `name`. Returns nil if there is
  /// none, or if `name` itself is in `names`.
  func twin(of name: ContainerPath.Component, among names: [ContainerPath.Component])
    -> ContainerPath.Component?
  {
    guard !isDisjoint(with: [.ignoresCase, .ignoresNormalization]), !names.contains(name) else {
      return nil
    }
    let key = key(of: name)
    return names.first { self.key(of: $0) == key }
  }

  /// Returns a key, which is the same for names that the volume treats as one. A rare name may get
  /// a wrong key, because each system has its own tables of characters.
  private func key(of name: ContainerPath.Component) -> [UInt8] {
    guard let text = String(validUTF8: name.bytes) else { return name.bytes }
    let foldedText = contains(.ignoresCase) ? text.lowercased() : text
    let key =
      contains(.ignoresNormalization) ? foldedText.decomposedStringWithCanonicalMapping : foldedText
    return Array(key.utf8)
  }

  /// Returns the reason why a name cannot exist beside others, with advice; nil if it can.
  func objection(to name: ContainerPath.Component, beside names: [ContainerPath.Component])
    -> String?
  {
    if contains(.requiresUTF8), String(validUTF8: name.bytes) == nil {
      return "'\(name)' is not UTF-8, which this volume refuses, as does APFS on iOS devices; "
        + "choose a name in UTF-8, or run this on Linux"
    }
    guard let twin = twin(of: name, among: names) else { return nil }
    if contains(.ignoresNormalization), String(decoding: twin.bytes, as: UTF8.self) == name.string {
      return "'\(name)' and the existing '\(twin)' differ only in how their characters are "
        + "composed, and this volume treats them as one name; spell it in one way, or run this "
        + "on Linux"
    }
    return "'\(name)' and the existing '\(twin)' differ only by case, and this volume treats them "
      + "as one name, unlike an iOS device; set TMPDIR to a folder on a case-sensitive volume, "
      + "such as a disk image of the format 'APFS (Case-sensitive)'"
  }

  private static let traitsByFolder = Locked<[URL: VolumeTraits]>([:])

  /// Returns the traits of a folder's volume. Determines them only once for each folder. Throws an
  /// error if the volume stores no marks.
  static func ofVolume(of folder: URL, tryingIn scratchFolder: DeviceFolder) throws(SystemError)
    -> VolumeTraits
  {
    try traitsByFolder.withLock { traitsByFolder throws(SystemError) in
      if let traits = traitsByFolder[folder] { return traits }
      try scratchFolder.ownPath.setMark(.resourceValue, true)
      try scratchFolder.ownPath.setMark(.resourceValue, false)
      let traits = try findTraits(in: DiskPath(scratchFolder.url, in: scratchFolder))
      traitsByFolder[folder] = traits
      return traits
    }
  }

  /// Determines the traits of a folder's volume with test files in the folder.
  static func findTraits(in folder: DiskPath) throws(SystemError) -> VolumeTraits {
    let testFile = folder.appending(Array("caf\u{E9}".utf8))
    let invalidPath = folder.appending([0x63, 0xFF])
    try testFile.write(.bytes([]), options: O_EXCL)
    // A file that cannot be removed now is removed with the folder.
    defer { try? testFile.unlinkFile() }
    var traits = VolumeTraits.exact
    if try folder.holds("CAF\u{C9}") { traits.insert(.ignoresCase) }
    if try folder.holds("cafe\u{301}") { traits.insert(.ignoresNormalization) }
    do throws(SystemError) {
      try invalidPath.write(.bytes([]), options: O_EXCL)
      try invalidPath.unlinkFile()
    } catch {
      guard error.number == EILSEQ else { throw error }
      traits.insert(.requiresUTF8)
    }
    return traits
  }
}

extension DiskPath {
  /// Returns true if this directory has an item that the volume finds under this name.
  fileprivate func holds(_ name: String) throws(SystemError) -> Bool {
    try appending(Array(name.utf8)).status() != nil
  }
}
