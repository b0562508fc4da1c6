extension LinuxShimSource {
  /// The part of the file with the header, and how the current container is found.
  static let container = #"""
    // Printed by `backup-testing linux-shim`: print it again rather than edit it.
    //
    // Linux Foundation ignores `isExcludedFromBackup` and knows other standard directories than
    // iOS. Compiled into a module of your app, this file makes Foundation behave there as it does
    // on iOS, inside the fake container of the running test. No call site changes, and nothing is
    // imported but Foundation. Where no container is current, every call goes on to Foundation,
    // but for `replaceItemAt`, which there loses data.
    //
    // * Every module whose code names files needs a copy: each copy serves its own module only.
    // * So does a test target that says `@testable import` of such a module: without a copy of its
    //   own, the members below are ambiguous there.
    // * A task finds the container of the test that started it. `Task.detached`, a dispatch queue,
    //   a thread or a callback from one of these finds none.
    // * Not redirected: calls that name the module, such as `Foundation.NSHomeDirectory()`, and
    //   those that Foundation or another module makes itself.
    // * A subclass of `FileManager` or `NSURL` in such a module cannot override a method that this
    //   file redirects.

    #if os(Linux) && compiler(>=6.3)
      import Foundation

      // MARK: - Container

      /// Says where the current test's container is, by asking the kit without linking it.
      nonisolated private enum LinuxShimContainer {
        /// Keeps the kit's class that describes the current container: a search in vain is slow.
        private struct KitClass: @unchecked Sendable {
          /// The class; nil in a program without the kit.
          let type =
            NSClassFromString("BackupTesting.CurrentContainer")
            as? any LosslessStringConvertible.Type
        }

        /// The class as found at the first look; a program's classes do not change.
        private static let kitClass = KitClass()

        /// Where iOS puts each directory of the user domain, relative to the container.
        private static let places: [FileManager.SearchPathDirectory: String] = [
          .documentDirectory: "Documents",
          .libraryDirectory: "Library",
          .allLibrariesDirectory: "Library",
          .applicationSupportDirectory: "Library/Application Support",
          .autosavedInformationDirectory: "Library/Autosave Information",
          .cachesDirectory: "Library/Caches",
          .desktopDirectory: "Desktop",
          .downloadsDirectory: "Downloads",
          .moviesDirectory: "Movies",
          .musicDirectory: "Music",
          .picturesDirectory: "Pictures",
          .sharedPublicDirectory: "Public",
        ]

        /// The root of the current container, or nil where none is current.
        static var root: URL? {
          guard let path = kitClass.type?.init("")?.description else { return nil }
          return URL(fileURLWithPath: path, isDirectory: true)
        }

        /// The folder for temporary files of the current container, or nil where none is current.
        static var temporary: URL? {
          root?.appendingPathComponent("tmp", isDirectory: true)
        }

        /// Finds a directory of the user domain.
        ///
        /// - Parameters:
        ///   - directory: The directory wanted.
        ///   - root: The container it is in, by default the current one.
        /// - Returns: Its location, whether or not it exists; nil without a container, or where an
        ///   app's container has no such directory.
        static func url(
          for directory: FileManager.SearchPathDirectory, under root: URL? = root
        ) -> URL? {
          guard let place = places[directory] else { return nil }
          return root?.appendingPathComponent(place, isDirectory: true)
        }
      }

      // MARK: - Errors

      /// Makes the errors that iOS throws out of the codes that system calls leave.
      nonisolated private enum LinuxShimError {
        /// Describes a system call that failed while it changed an item.
        ///
        /// - Parameters:
        ///   - code: The value of `errno`.
        ///   - path: The item's absolute path.
        /// - Returns: A Cocoa error with the system's error beneath it.
        static func writing(_ code: CInt, _ path: String) -> CocoaError {
          switch code {
          case ENOENT, ENOTDIR: return make(.fileNoSuchFile, code, path)
          case EACCES, EPERM: return make(.fileWriteNoPermission, code, path)
          case ENOSPC, EDQUOT: return make(.fileWriteOutOfSpace, code, path)
          case EROFS: return make(.fileWriteVolumeReadOnly, code, path)
          default: return make(.fileWriteUnknown, code, path)
          }
        }

        /// Describes a system call that failed while it read about an item.
        ///
        /// - Parameters:
        ///   - code: The value of `errno`.
        ///   - path: The item's absolute path.
        /// - Returns: A Cocoa error with the system's error beneath it.
        static func reading(_ code: CInt, _ path: String) -> CocoaError {
          switch code {
          case ENOENT, ENOTDIR: return make(.fileReadNoSuchFile, code, path)
          case EACCES, EPERM: return make(.fileReadNoPermission, code, path)
          default: return make(.fileReadUnknown, code, path)
          }
        }

        /// Puts a Cocoa error together.
        private static func make(
          _ cocoaCode: CocoaError.Code, _ code: CInt, _ path: String
        ) -> CocoaError {
          let underlying = NSError(domain: NSPOSIXErrorDomain, code: Int(code))
          return CocoaError(
            cocoaCode, userInfo: [NSFilePathErrorKey: path, NSUnderlyingErrorKey: underlying])
        }
      }


    """#
}
