import BackupContainer
import BackupDevice
import BackupJSON5
import Foundation

/// What a process of the app's is asked for.
package enum AppRequest: Sendable {
  /// To run what the app does at each start.
  case launch(AppLaunch)
  /// To run a bound action.
  case perform(ActionCall)
  /// To write what it has in memory, such as its preferences.
  case flush
}

/// A request with the number by which its answer is known.
///
/// The app's code may write to the connection too, and what it writes must not pass for an answer.
package struct NumberedRequest: Codable, Sendable {
  /// Its number, from 1.
  package let number: Int
  /// What is asked for.
  package let request: AppRequest

  /// A request with a number.
  package init(number: Int, request: AppRequest) {
    self.number = number
    self.request = request
  }
}

extension AppRequest: Codable {
  /// A request as it crosses.
  private struct Parts: Codable {
    /// The bundle identifier of what runs; nil where nothing does.
    var bundleIdentifier: String?
    /// The container's absolute path.
    var container: String?
    /// The absolute paths of the groups' containers, by identifier.
    var groups: [String: String]?
    /// The version of iOS.
    var system: String?
    /// The app's version.
    var appVersion: String?
    /// How often it was started.
    var launchCount: Int?
    /// What is there of the keychain.
    var keychain: ActionCall.Keychain?
    /// The action's name; nil for the start.
    var name: String?
    /// The action's arguments.
    var arguments: [LocatedValue.Piece]?

    /// The start that they are about; nil where there is none.
    var launch: AppLaunch? {
      guard let bundleIdentifier, let container, let system = system.flatMap(SystemVersion.init),
        let appVersion, let launchCount, let keychain
      else { return nil }
      let locations = FakeContainer.Locations(
        url: URL(fileURLWithPath: container, isDirectory: true),
        groups: (groups ?? [:]).mapValues { URL(fileURLWithPath: $0, isDirectory: true) })
      return AppLaunch(
        bundleIdentifier: bundleIdentifier, container: locations, system: system,
        appVersion: appVersion, launchCount: launchCount, keychain: keychain)
    }
  }

  /// A request of which a part is missing, or means nothing.
  private struct Unreadable: Error {}

  package init(from decoder: any Decoder) throws {
    let parts = try Parts(from: decoder)
    guard parts.bundleIdentifier != nil else {
      self = .flush
      return
    }
    guard let launch = parts.launch,
      let members = LocatedValue.members(from: parts.arguments ?? [])
    else { throw Unreadable() }
    guard let name = parts.name else {
      self = .launch(launch)
      return
    }
    self = .perform(ActionCall(name, ActionArguments(members, of: name), in: launch))
  }

  package func encode(to encoder: any Encoder) throws {
    var parts = Parts()
    let (launch, call): (AppLaunch?, ActionCall?) =
      switch self {
      case .launch(let launch): (launch, nil)
      case .perform(let call): (call.launch, call)
      case .flush: (nil, nil)
      }
    parts.bundleIdentifier = launch?.bundleIdentifier
    parts.container = launch?.container.url.path
    parts.groups = launch?.container.groups.mapValues(\.path)
    parts.system = launch?.system.description
    parts.appVersion = launch?.appVersion
    parts.launchCount = launch?.launchCount
    parts.keychain = launch?.keychain
    parts.name = call?.name
    parts.arguments = call.map { LocatedValue.pieces(of: $0.arguments.members) }
    try parts.encode(to: encoder)
  }
}
