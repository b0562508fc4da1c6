#if os(Linux) && (arch(x86_64) || arch(arm64))
  import CLinuxAppShim
  public import Foundation

  /// Puts the methods into their tables; C calls it before the program begins.
  @_cdecl("cla_begin")
  public func linuxAppShimBegin() {
    cla_replace_methods(
      unsafeBitCast(NSURL.self as AnyClass, to: UnsafeRawPointer.self),
      unsafeBitCast(Bundle.self as AnyClass, to: UnsafeRawPointer.self))
  }

  extension Bundle {
    /// In the table of methods for `bundleIdentifier`.
    @_silgen_name("cla_bundle_identifier")
    public func linuxAppShimIdentifier() -> String? {
      let question = LinuxShimQuestion.bundleIdentifier
      let identifier = self === Bundle.main ? question.kitAnswer("") ?? question.variable : nil
      return identifier ?? foundationIdentifier()
    }

    @_silgen_name("cla_foundation_bundle_identifier")
    private func foundationIdentifier() -> String?
  }

  extension URL {
    /// In the place of `homeDirectory`.
    @_silgen_name("$s20FoundationEssentials3URLV13homeDirectoryACvgZ")
    public static func linuxAppShimHome() -> URL {
      LinuxShimContainer.root(for: "URL.homeDirectory") ?? foundationHome()
    }

    @_silgen_name("cla_foundation_url_home")
    private static func foundationHome() -> URL

    /// In the place of `temporaryDirectory`.
    @_silgen_name("$s20FoundationEssentials3URLV18temporaryDirectoryACvgZ")
    public static func linuxAppShimTemporary() -> URL { FileManager.default.temporaryDirectory }
  }

  /// In the place of `NSHomeDirectory()`.
  @_silgen_name("$s10Foundation15NSHomeDirectorySSyF")
  public func linuxAppShimHomeDirectory() -> String {
    LinuxShimContainer.root(for: "NSHomeDirectory()")?.path ?? foundationHomeDirectory()
  }

  @_silgen_name("cla_foundation_home")
  private func foundationHomeDirectory() -> String

  /// In the place of `NSTemporaryDirectory()`.
  @_silgen_name("$s10Foundation20NSTemporaryDirectorySSyF")
  public func linuxAppShimTemporaryDirectory() -> String {
    LinuxShimContainer.temporary(for: "NSTemporaryDirectory()").map { $0.path + "/" }
      ?? foundationTemporaryDirectory()
  }

  @_silgen_name("cla_foundation_temporary")
  private func foundationTemporaryDirectory() -> String

  /// In the place of `NSSearchPathForDirectoriesInDomains(_:_:_:)`.
  @_silgen_name(
    "$s10Foundation35NSSearchPathForDirectoriesInDomainsySaySSG0A10Essentials11FileManagerC06SearchC9DirectoryO_AF0kC10DomainMaskVSbtF"
  )
  public func linuxAppShimSearch(
    _ directory: FileManager.SearchPathDirectory, _ domainMask: FileManager.SearchPathDomainMask,
    _ expandTilde: Bool
  ) -> [String] {
    guard domainMask.contains(.userDomainMask),
      let url = LinuxShimContainer.url(
        for: directory, call: "NSSearchPathForDirectoriesInDomains(.\(directory), …)")
    else { return foundationSearch(directory, domainMask, expandTilde) }
    let others = domainMask.subtracting(.userDomainMask)
    return [url.path] + foundationSearch(directory, others, expandTilde)
  }

  @_silgen_name("cla_foundation_search")
  private func foundationSearch(
    _ directory: FileManager.SearchPathDirectory, _ domainMask: FileManager.SearchPathDomainMask,
    _ expandTilde: Bool
  ) -> [String]
#endif
