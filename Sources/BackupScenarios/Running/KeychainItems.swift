package import BackupDevice

/// An app's keychain items, by name.
package typealias KeychainItems = [String: SystemProfile.KeychainPolicy.Accessibility]

extension KeychainItems {
  /// The name of what code of the app's own keeps there, which the kit does not see: it counts as one
  /// item for this device only, which the code sets again if it runs without it. No step can name it.
  static let nameOfCode = ""

  static let ofNewApp: Self = [nameOfCode: .thisDeviceOnly]

  /// What code of the app's own finds in the keychain.
  var foundByCode: ActionCall.Keychain { self[Self.nameOfCode] == nil ? .lost : .kept }

  /// The names that steps have given.
  package var names: [String] { keys.filter { $0 != Self.nameOfCode }.sorted() }
}
