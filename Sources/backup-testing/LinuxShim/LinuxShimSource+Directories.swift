extension LinuxShimSource {
  /// The part of the file with the directories of `URL`, and the functions that name directories.
  static let directories = #"""
      // MARK: - URL, directories

      nonisolated extension URL {
        /// The root of the current container, or else Foundation's home directory.
        static var homeDirectory: URL {
          LinuxShimContainer.root ?? URL.Foundation::homeDirectory
        }

        /// The folder for temporary files: the current container's, or else Foundation's.
        static var temporaryDirectory: URL { FileManager.default.temporaryDirectory }

        /// The folder of the user's documents, which Foundation on Linux does not name.
        static var documentsDirectory: URL { linuxShimURL(for: .documentDirectory) }

        /// The folder of all files that are not the user's documents.
        static var libraryDirectory: URL { linuxShimURL(for: .libraryDirectory) }

        /// The folder of files that the app can make again.
        static var cachesDirectory: URL { linuxShimURL(for: .cachesDirectory) }

        /// The folder of files that the app needs, which iOS does not create.
        static var applicationSupportDirectory: URL {
          linuxShimURL(for: .applicationSupportDirectory)
        }

        /// Finds a standard directory, and creates it if asked to.
        ///
        /// - Parameters:
        ///   - directory: The directory wanted.
        ///   - domain: Where to look. Domains other than the user's are left to Foundation.
        ///   - url: What an item replacement directory is for; of no other use here.
        ///   - shouldCreate: Whether to create the directory if it is missing.
        /// - Throws: An error of Foundation's if the directory cannot be found or created.
        init(
          for directory: FileManager.SearchPathDirectory,
          in domain: FileManager.SearchPathDomainMask,
          appropriateFor url: URL? = nil,
          create shouldCreate: Bool = false
        ) throws {
          self = try FileManager.default.url(
            for: directory, in: domain, appropriateFor: url, create: shouldCreate)
        }

        /// A directory of the user domain; in the home directory, as on iOS, if Linux has none.
        private static func linuxShimURL(for directory: FileManager.SearchPathDirectory) -> URL {
          FileManager.default.urls(for: directory, in: .userDomainMask).first
            ?? LinuxShimContainer.url(for: directory, under: homeDirectory)
            ?? homeDirectory
        }
      }

      // MARK: - Functions

      /// The path of the current container, without a slash at its end, or else Foundation's home.
      nonisolated func NSHomeDirectory() -> String {
        LinuxShimContainer.root?.path ?? Foundation.NSHomeDirectory()
      }

      /// The path for temporary files, with a slash at its end: the current container's, or
      /// Foundation's.
      nonisolated func NSTemporaryDirectory() -> String {
        LinuxShimContainer.temporary.map { $0.path + "/" } ?? Foundation.NSTemporaryDirectory()
      }

      /// Finds standard directories: those of the user domain in the current container.
      ///
      /// - Parameters:
      ///   - directory: The directory wanted.
      ///   - domainMask: Where to look. Domains other than the user's are left to Foundation.
      ///   - expandTilde: Whether paths are absolute. Those in a test's container always are.
      /// - Returns: The paths, whether or not there is a directory.
      nonisolated func NSSearchPathForDirectoriesInDomains(
        _ directory: FileManager.SearchPathDirectory,
        _ domainMask: FileManager.SearchPathDomainMask,
        _ expandTilde: Bool
      ) -> [String] {
        guard domainMask.contains(.userDomainMask),
          let url = LinuxShimContainer.url(for: directory)
        else {
          return Foundation.NSSearchPathForDirectoriesInDomains(directory, domainMask, expandTilde)
        }
        let others = domainMask.subtracting(.userDomainMask)
        return [url.path]
          + Foundation.NSSearchPathForDirectoriesInDomains(directory, others, expandTilde)
      }
    #elseif os(Linux)
      #error("The file printed by `backup-testing linux-shim` needs the compiler of Swift 6.3.")
    #endif

    """#
}
