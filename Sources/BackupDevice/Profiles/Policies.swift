public import BackupFileTree

extension SystemProfile {
  /// The rules by which backups hold the items of one kind of container.
  public struct BackupPolicy: Hashable, Sendable {
    /// The directories that backups begin at; nil for the whole container.
    public var roots: Sourced<[ContainerPath]?>
    /// Places that no backup holds, matched from the container's top only.
    public var locations: [Sourced<ContainerPath>]
    /// Places that the system keeps for itself, matched from the container's top only.
    public var systemManaged: [Sourced<ContainerPath>]
    /// The names of files that unfinished saves leave behind.
    public var remnants: Sourced<[RemnantPattern]>
    /// A Boolean value that indicates whether a backup stores the contents of `-wal`, `-shm` and
    /// `-journal` files with their readable database, not on their own.
    public var storesDatabasesWhole: Sourced<Bool>
    /// The length in bytes of the shortest absolute path that backups skip.
    public var skippedPathLength: Sourced<Int>
    /// The number of bytes in a container's own path on a device, with the `/` after it.
    public var containerPathLength: Sourced<Int>
  }

  /// The names of files that an unfinished save leaves behind; regular files only (`observed`).
  @nonexhaustive
  public enum RemnantPattern: String, CaseIterable, Hashable, Sendable {
    /// The last component begins with `.dat.nosync`.
    case atomicSave
    /// The path ends in `.plist.` and seven characters.
    case propertyList
    /// A `.dat` file with `binarycookies_tmp` in its path.
    case cookies

    /// Returns whether a file at this path is such a remnant.
    ///
    /// - Parameter path: The path of a regular file, relative to the container.
    /// - Returns: True if the name matches; the kind of the item is not checked.
    public func matches(_ path: ContainerPath) -> Bool {
      matches(path.name, inCookies: path.components.dropLast().contains(where: Self.namesCookies))
    }

    /// Returns whether a file with this name is such a remnant. `inCookies` is true if
    /// ``namesCookies(_:)`` is true for a component of its directory's path.
    func matches(
      _ name: ContainerPath.Component, inCookies: @autoclosure () -> Bool
    ) -> Bool {
      switch self {
      case .atomicSave:
        name.hasPrefix(".dat.nosync")
      case .propertyList:
        name.has(".plist.", at: name.count - 14)
      case .cookies:
        name.hasSuffix(".dat") && (inCookies() || Self.namesCookies(name))
      }
    }

    /// The part of a path that makes a `.dat` file a remnant of unfinished cookies.
    private static let cookiesMark: StaticString = "binarycookies_tmp"

    /// Returns whether the name of a file or directory contains the mark of unfinished cookies.
    static func namesCookies(_ name: ContainerPath.Component) -> Bool {
      (0..<name.count).contains { name.has(cookiesMark, at: $0) }
    }
  }

  /// The rules by which the system purges an app that does not run.
  public struct PurgePolicy: Hashable, Sendable {
    /// The amount that the system takes at a time.
    @nonexhaustive
    public enum Unit: String, Hashable, Sendable {
      /// The system replaces the whole directory with a new, empty and unmarked one.
      case wholeDirectory
      /// The system takes single files; directories stay.
      case singleFiles
    }

    /// The directories that the system may take whole at any time while the app does not run, even
    /// if storage is not low.
    public var idle: Sourced<[ContainerPath]>
    /// The directories that the system takes when storage is low.
    public var lowStorage: Sourced<[ContainerPath]>
    /// The directories that the system takes at the highest urgency.
    public var criticalStorage: Sourced<[ContainerPath]>
    /// The amount that the system takes at a time.
    public var unit: Sourced<Unit>
    /// A Boolean value that indicates whether a mark that the system honors spares a file.
    public var sparesMarked: Sourced<Bool>
  }

  /// The items that an update or a restore brings into the app's new container.
  public struct UpdatePolicy: Hashable, Sendable {
    /// The directories that an update carries over with all items in them and their marks.
    public var carriedOver: Sourced<[ContainerPath]>
    /// The directories within ``carriedOver`` that may nevertheless be missing after an update.
    public var mayBeLost: Sourced<[ContainerPath]>
    /// The directories that a restore creates empty, whatever the backup holds.
    public var neverRestored: Sourced<[ContainerPath]>
  }

  /// The directories that remain when the app is offloaded.
  public struct OffloadPolicy: Hashable, Sendable {
    /// The directories that survive an offload and are back when the app is installed again.
    public var kept: Sourced<[ContainerPath]>
    /// The directories within ``kept`` that are empty when the app is installed again.
    public var lost: Sourced<[ContainerPath]>
  }

  /// The events that an app's keychain items survive.
  public struct KeychainPolicy: Hashable, Sendable {
    /// The devices that an item is for, as its `kSecAttrAccessible` says.
    @nonexhaustive
    public enum Accessibility: String, CaseIterable, Hashable, Sendable {
      /// Any device, as with `kSecAttrAccessibleWhenUnlocked`, the default.
      case ordinary
      /// The device that it was set on, as with `kSecAttrAccessibleWhenUnlockedThisDeviceOnly`.
      case thisDeviceOnly
    }

    /// A Boolean value that indicates whether items exist after the app is deleted and installed
    /// again.
    public var outlivesDeletion: Sourced<Bool>
    /// A Boolean value that indicates whether items exist after a restore to the same device.
    public var outlivesRestore: Sourced<Bool>
    /// A Boolean value that indicates whether items for one device only exist on another device
    /// after a restore or a transfer.
    public var reachesNewDevice: Sourced<Bool>
    /// The kinds of backup that bring ordinary items to another device.
    public var bringingOrdinaryItems: Sourced<[BackupKind]>
  }
}
