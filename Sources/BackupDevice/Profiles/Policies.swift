public import BackupFileTree

extension SystemProfile {
  /// The rules that decide which items of a container are in a backup, for one kind of container.
  public struct BackupPolicy: Hashable, Sendable {
    /// The directories at the container's top that backups hold; nil if backups hold all items.
    public var roots: Sourced<[ContainerPath]?>
    /// Directories that no backup holds, as paths from the container's top.
    public var locations: [Sourced<ContainerPath>]
    /// Places that the system manages for itself, as paths from the container's top.
    public var systemManaged: [Sourced<ContainerPath>]
    /// The names of files that unfinished saves leave behind.
    public var remnants: Sourced<[RemnantPattern]>
    /// A Boolean value that indicates whether a backup stores `-wal`, `-shm` and `-journal` files
    /// as part of their database, if the database is readable.
    public var storesDatabasesWhole: Sourced<Bool>
    /// Backups skip items whose absolute path has at least this many bytes.
    public var skippedPathLength: Sourced<Int>
    /// The number of bytes in a container's own path on a device, with the `/` after it.
    public var containerPathLength: Sourced<Int>
  }

  /// A pattern for the names of files that an unfinished save leaves behind. It applies only to
  /// regular files (`observed`).
  @nonexhaustive
  public enum RemnantPattern: String, CaseIterable, Hashable, Sendable {
    /// The last component begins with `.dat.nosync`.
    case atomicSave
    /// The name ends in `.plist.` and seven characters.
    case propertyList
    /// A `.dat` file with `binarycookies_tmp` in its path.
    case cookies

    /// Returns whether a file at this path is a remnant of an unfinished save.
    ///
    /// - Parameter path: The path of a regular file, relative to the container.
    /// - Returns: True if the path matches; the kind of the item is not checked.
    public func matches(_ path: ContainerPath) -> Bool {
      matches(
        path.name,
        inCookiesDirectory: path.components.dropLast().contains(where: Self.containsCookiesInfix))
    }

    /// Returns whether a file with this name is a remnant of an unfinished save. `inCookies` is
    /// true if a directory above the file has `binarycookies_tmp` in its name.
    func matches(
      _ name: ContainerPath.Component, inCookiesDirectory: @autoclosure () -> Bool
    ) -> Bool {
      switch self {
      case .atomicSave:
        name.hasPrefix(".dat.nosync")
      case .propertyList:
        name.has(".plist.", at: name.count - 14)
      case .cookies:
        name.hasSuffix(".dat") && (inCookiesDirectory() || Self.containsCookiesInfix(name))
      }
    }

    /// A `.dat` file with this text in its path is a remnant of an unfinished save of cookies.
    private static let cookiesInfix: StaticString = "binarycookies_tmp"

    /// Returns whether the name of a file or directory contains `binarycookies_tmp`.
    static func containsCookiesInfix(_ name: ContainerPath.Component) -> Bool {
      (0..<name.count).contains { name.has(cookiesInfix, at: $0) }
    }
  }

  /// The rules by which the system purges an app that does not run.
  public struct PurgePolicy: Hashable, Sendable {
    /// The unit of a purge: a whole directory, or a single file.
    @nonexhaustive
    public enum Unit: String, Hashable, Sendable {
      /// The system replaces a whole directory with a new, empty and unmarked one.
      case wholeDirectory
      /// The system deletes single files; directories stay.
      case singleFiles
    }

    /// The directories that the system may empty at any time while the app does not run, even if
    /// storage is not low.
    public var idle: Sourced<[ContainerPath]>
    /// The directories that the system purges when storage is low.
    public var lowStorage: Sourced<[ContainerPath]>
    /// The directories that the system purges when storage is critically low.
    public var criticalStorage: Sourced<[ContainerPath]>
    /// The unit of a purge.
    public var unit: Sourced<Unit>
    /// A Boolean value that indicates whether a purge spares files with a mark that the system
    /// honors.
    public var sparesMarked: Sourced<Bool>
  }

  /// The items that an update or a restore brings into the app's new container.
  public struct UpdatePolicy: Hashable, Sendable {
    /// The directories that an update carries over with all items in them and their marks.
    public var carriedOver: Sourced<[ContainerPath]>
    /// The directories within ``carriedOver`` that an update may nevertheless lose.
    public var mayBeLost: Sourced<[ContainerPath]>
    /// The directories that a restore creates empty, whatever the backup holds.
    public var neverRestored: Sourced<[ContainerPath]>
  }

  /// The directories that an offload of the app keeps, and those of them that it empties.
  public struct OffloadPolicy: Hashable, Sendable {
    /// The directories that the app has again when it is installed after an offload.
    public var kept: Sourced<[ContainerPath]>
    /// The directories within ``kept`` that are empty when the app is installed again.
    public var lost: Sourced<[ContainerPath]>
  }

  /// The events that an app's keychain items survive.
  public struct KeychainPolicy: Hashable, Sendable {
    /// The devices on which a keychain item can be. The app chooses them with `kSecAttrAccessible`.
    @nonexhaustive
    public enum Accessibility: String, CaseIterable, Hashable, Sendable {
      /// Any device, as with `kSecAttrAccessibleWhenUnlocked`, the default.
      case ordinary
      /// Only the device on which the app set the item, as with
      /// `kSecAttrAccessibleWhenUnlockedThisDeviceOnly`.
      case thisDeviceOnly
    }

    /// A Boolean value that indicates whether items still exist if the app is deleted and installed
    /// again.
    public var outlivesDeletion: Sourced<Bool>
    /// A Boolean value that indicates whether items still exist after a restore to the same device.
    public var outlivesRestore: Sourced<Bool>
    /// A Boolean value that indicates whether a restore or a transfer brings items of the kind
    /// ``Accessibility/thisDeviceOnly`` to another device.
    public var reachesNewDevice: Sourced<Bool>
    /// The kinds of backup that bring ordinary items to another device.
    public var bringingOrdinaryItems: Sourced<[BackupKind]>
  }
}
