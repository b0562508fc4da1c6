package import BackupDevice

/// What a backup folder says of the device and the app that it is of.
package struct BackupOrigin: Sendable {
  package var app: String
  package var appVersion: String
  package var system: SystemVersion
  /// What the device's identifier is made from, so that the same backup is always in a folder of
  /// the same name.
  package var seed: String
  /// When the backup was taken, in seconds since 2001.
  package var date: Double

  package init(app: String, appVersion: String, system: SystemVersion, seed: String, date: Double) {
    self.app = app
    self.appVersion = appVersion
    self.system = system
    self.seed = seed
    self.date = date
  }

  /// The device's identifier: 40 hexadecimal digits.
  package var device: String { SHA1(of: Array(seed.utf8)).hexadecimal }

  private static let name = "backup-testing"

  var manifest: PropertyList {
    .dictionary([
      "IsEncrypted": .boolean(false), "WasPasscodeSet": .boolean(false), "BackupKeyBag": .data([]),
      "Version": .string("10.0"), "SystemDomainsVersion": .string("24.0"), "Date": .date(date),
      "Applications": .dictionary([
        app: .dictionary([
          "CFBundleIdentifier": .string(app), "CFBundleVersion": .string(appVersion),
          "ContainerContentClass": .string("Data/Application"),
          "Path": .string("/var/containers/Bundle/Application/\(device)/App.app"),
        ])
      ]),
      "Lockdown": .dictionary([
        "ProductVersion": .string(system.description), "DeviceName": .string(Self.name),
        "SerialNumber": .string(serialNumber), "ProductType": .string(Self.product),
        "BuildVersion": .string(Self.build), "UniqueDeviceID": .string(device),
      ]),
    ])
  }

  var information: PropertyList {
    .dictionary([
      "Target Identifier": .string(device), "Unique Identifier": .string(device.uppercased()),
      "Target Type": .string("Device"), "Installed Applications": .array([.string(app)]),
      "IMEI": .string("000000000000000"), "iTunes Version": .string("12.13"),
      "Build Version": .string(Self.build), "Device Name": .string(Self.name),
      "Display Name": .string(Self.name), "GUID": .string(device.uppercased()),
      "Last Backup Date": .date(date), "Product Name": .string(Self.name),
      "Product Type": .string(Self.product), "Product Version": .string(system.description),
      "Serial Number": .string(serialNumber),
    ])
  }

  var status: PropertyList {
    .dictionary([
      "Date": .date(date), "Version": .string("3.3"), "IsFullBackup": .boolean(true),
      "BackupState": .string("new"), "SnapshotState": .string("finished"),
      "UUID": .string(Self.uuid(device)),
    ])
  }

  /// A model of device and a build that do not exist.
  private static let (product, build) = ("iPhone0,0", "00A000")

  /// A number in the form of a device's.
  private var serialNumber: String { String(device.uppercased().prefix(12)) }

  /// Hexadecimal digits in the form of a UUID.
  private static func uuid(_ digits: String) -> String {
    let digits = Array(digits.uppercased())
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
      .joined(separator: "-")
  }
}
