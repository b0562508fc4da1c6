public import BackupFileTree

extension SystemProfile {
  /// What backups of one kind of container hold, as data.
  public struct BackupPolicy: Hashable, Sendable {
    /// The directories that backups begin at; nil for the whole container.
    public var roots: Sourced<[ContainerPath]?>
    /// Places that no backup holds, matched from the container's top only.
    public var locations: [Sourced<ContainerPath>]
    /// Places that the system keeps for itself, matched from the container's top only.
    public var systemManaged: [Sourced<ContainerPath>]
    /// Names of files that unfinished saves leave behind.
    public var remnants: Sourced<[RemnantPattern]>
    /// Whether `-wal`, `-shm` and `-journal` beside a readable database are not stored on their
    /// own.
    public var storesDatabasesWhole: Sourced<Bool>
    /// The shortest absolute path, in bytes, that backups skip.
    public var skippedPathLength: Sourced<Int>
    /// How many bytes a container's own path and the `/` after it have on a device.
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

    /// Whether a file at this path is such a remnant.
    ///
    /// - Parameter path: The path of a regular file, relative to the container.
    /// - Returns: Whether the name fits; what the item is, is not looked at.
    public func matches(_ path: ContainerPath) -> Bool {
      matches(path.name, inCookies: path.components.dropLast().contains(where: Self.namesCookies))
    }

    /// Whether a file of this name is such a remnant; `inCookies` is ``namesCookies(_:)`` of its
    /// directory's path.
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

    /// What makes a `.dat` file one of unfinished cookies where its path has it.
    private static let cookiesMark: StaticString = "binarycookies_tmp"

    /// Whether a file's or directory's name has what makes a `.dat` file in it a remnant; a path
    /// has it where one of its components does.
    static func namesCookies(_ name: ContainerPath.Component) -> Bool {
      (0..<name.count).contains { name.has(cookiesMark, at: $0) }
    }
  }

  /// What the system takes from an app that does not run, when storage is low, as data.
  public struct PurgePolicy: Hashable, Sendable {
    /// How much goes at a time.
    @nonexhaustive
    public enum Unit: String, Hashable, Sendable {
      /// The whole directory is replaced by a new, empty and unmarked one.
      case wholeDirectory
      /// File by file; directories stay.
      case singleFiles
    }

    /// The directories that may be taken whole whenever the app does not run, needed or not.
    public var idle: Sourced<[ContainerPath]>
    /// The directories taken when storage is low.
    public var lowStorage: Sourced<[ContainerPath]>
    /// The directories taken at the highest urgency.
    public var criticalStorage: Sourced<[ContainerPath]>
    /// How much goes at a time.
    public var unit: Sourced<Unit>
    /// Whether an honoured mark spares a file.
    public var sparesMarked: Sourced<Bool>
  }

  /// What an update of the app carries into its new container, as data.
  public struct UpdatePolicy: Hashable, Sendable {
    /// The directories carried over with all in them, marks too.
    public var carriedOver: Sourced<[ContainerPath]>
    /// The directories in these that may be missing afterwards all the same.
    public var mayBeLost: Sourced<[ContainerPath]>
    /// The directories that a restore makes but does not fill, whatever the backup holds.
    public var neverRestored: Sourced<[ContainerPath]>
  }

  /// What outlives the app when it is offloaded, as data.
  public struct OffloadPolicy: Hashable, Sendable {
    /// The directories that survive offloading and are back when the app is installed again.
    public var kept: Sourced<[ContainerPath]>
    /// The directories within ``kept`` that are empty then.
    public var lost: Sourced<[ContainerPath]>
  }

  /// What becomes of an app's keychain items, as data.
  public struct KeychainPolicy: Hashable, Sendable {
    /// Which devices an item is for, as its `kSecAttrAccessible` says.
    @nonexhaustive
    public enum Accessibility: String, CaseIterable, Hashable, Sendable {
      /// Any device, as with `kSecAttrAccessibleWhenUnlocked`, the default.
      case ordinary
      /// The device that it was set on, as with `kSecAttrAccessibleWhenUnlockedThisDeviceOnly`.
      case thisDeviceOnly
    }

    /// Whether items are there when an app that was deleted is installed again.
    public var outlivesDeletion: Sourced<Bool>
    /// Whether they are there after a restore to the same device.
    public var outlivesRestore: Sourced<Bool>
    /// Whether those for one device only are there on another, after a restore or a transfer.
    public var reachesNewDevice: Sourced<Bool>
    /// The kinds of backup that bring ordinary ones to another device.
    public var bringingOrdinaryItems: Sourced<[BackupKind]>
  }
}
