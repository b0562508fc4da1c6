#if os(Linux) && (arch(x86_64) || arch(arm64))
  public import Foundation

  /// What `FileManager.default` is: Foundation's, but for the standard directories and for copies.
  final class AppFileManager: FileManager, @unchecked Sendable {
    /// The only one.
    static let shared = AppFileManager()

    override var temporaryDirectory: URL {
      LinuxShimContainer.temporary(for: "FileManager.temporaryDirectory")
        ?? super.temporaryDirectory
    }

    override var homeDirectoryForCurrentUser: URL {
      LinuxShimContainer.root(for: "FileManager.homeDirectoryForCurrentUser")
        ?? super.homeDirectoryForCurrentUser
    }

    override func urls(
      for directory: SearchPathDirectory, in domainMask: SearchPathDomainMask
    ) -> [URL] {
      guard domainMask.contains(.userDomainMask),
        let url = LinuxShimContainer.url(
          for: directory, call: "FileManager.urls(for: .\(directory), in:)")
      else { return super.urls(for: directory, in: domainMask) }
      let others = domainMask.subtracting(.userDomainMask)
      return [url] + (others.isEmpty ? [] : super.urls(for: directory, in: others))
    }

    override func copyItem(at srcURL: URL, to dstURL: URL) throws {
      try super.copyItem(at: srcURL, to: dstURL)
      guard LinuxShimContainer.serves(dstURL.path) else { return }
      try LinuxShimMark.copy(fromPath: srcURL.path, toPath: dstURL.path)
    }

    override func copyItem(atPath srcPath: String, toPath dstPath: String) throws {
      try super.copyItem(atPath: srcPath, toPath: dstPath)
      guard LinuxShimContainer.serves(dstPath) else { return }
      try LinuxShimMark.copy(fromPath: srcPath, toPath: dstPath)
    }
  }

  extension FileManager {
    /// In the place of `FileManager.default`.
    @_silgen_name("$s20FoundationEssentials11FileManagerC7defaultACvgZ")
    public static func linuxAppShimDefault() -> FileManager { AppFileManager.shared }

    /// In the place of `url(for:in:appropriateFor:create:)`.
    @_silgen_name(
      "$s20FoundationEssentials11FileManagerC0A0E3url3for2in14appropriateFor6createAA3URLVAC19SearchPathDirectoryO_AC0lM10DomainMaskVAKSgSbtKF"
    )
    public func linuxAppShimURL(
      for directory: SearchPathDirectory, in domain: SearchPathDomainMask,
      appropriateFor url: URL?, create shouldCreate: Bool
    ) throws -> URL {
      let isReplacement = directory == .itemReplacementDirectory
      let call = "FileManager.url(for: .\(directory), in:)"
      guard domain == .userDomainMask,
        let place = isReplacement
          ? LinuxShimContainer.replacement(for: call)
          : LinuxShimContainer.url(for: directory, call: call)
      else {
        return try foundationURL(
          for: directory, in: domain, appropriateFor: url, create: shouldCreate)
      }
      if shouldCreate || isReplacement {
        try createDirectory(
          at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      }
      return place
    }

    @_silgen_name("cla_foundation_url")
    private func foundationURL(
      for directory: SearchPathDirectory, in domain: SearchPathDomainMask,
      appropriateFor url: URL?, create shouldCreate: Bool
    ) throws -> URL

    /// In the place of `replaceItemAt(_:withItemAt:backupItemName:options:)`.
    @_silgen_name(
      "$s20FoundationEssentials11FileManagerC0A0E13replaceItemAt_04withfG006backupF4Name7optionsAA3URLVSgAJ_AJSSSgAC0F18ReplacementOptionsVtKF"
    )
    public func linuxAppShimReplaceItemAt(
      _ originalItemURL: URL, withItemAt newItemURL: URL, backupItemName: String?,
      options: ItemReplacementOptions
    ) throws -> URL? {
      try LinuxShimReplacement.replace(
        originalItemURL, with: newItemURL, backupName: backupItemName, options)
    }

    /// In the place of `replaceItem(at:withItemAt:backupItemName:options:resultingItemURL:)`.
    @_silgen_name(
      "$s20FoundationEssentials11FileManagerC0A0E11replaceItem2at04withF2At06backupF4Name7options09resultingF3URLyAA0N0V_ALSSSgAC0F18ReplacementOptionsVSpyAD5NSURLCSgGSgtKF"
    )
    public func linuxAppShimReplaceItem(
      at originalItemURL: URL, withItemAt newItemURL: URL, backupItemName: String?,
      options: ItemReplacementOptions, resultingItemURL: UnsafeMutablePointer<NSURL?>?
    ) throws {
      let result = try LinuxShimReplacement.replace(
        originalItemURL, with: newItemURL, backupName: backupItemName, options)
      resultingItemURL?.pointee = result as NSURL
    }
  }
#endif
