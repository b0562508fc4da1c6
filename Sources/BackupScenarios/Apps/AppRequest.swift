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
  /// To run the app's own check.
  case check(AppLaunch)
  /// To write what it has in memory, such as its preferences.
  case flush
}

extension AppRequest: AppMessageContent {
  package init() { self = .flush }

  package var isNothing: Bool {
    if case .flush = self { true } else { false }
  }

  /// A start, or an action, as it crosses.
  private struct Message: Codable {
    let bundleIdentifier: String
    let container: String
    /// The absolute paths of the groups' containers, by identifier.
    let groups: [String: String]
    let system: String
    let appVersion: String
    /// How often it was started.
    let launchCount: Int
    let keychain: ActionCall.Keychain
    /// The action's name; nil for the start.
    let name: String?
    let arguments: [LocatedValue.Piece]
    /// Whether the app's own check is asked for.
    let isCheck: Bool

    /// The parts of a start, or of an action.
    init(_ launch: AppLaunch, _ call: ActionCall? = nil, isCheck: Bool = false) {
      self.isCheck = isCheck
      bundleIdentifier = launch.bundleIdentifier
      container = launch.container.url.path
      groups = launch.container.groups.mapValues(\.path)
      system = launch.system.description
      appVersion = launch.appVersion
      launchCount = launch.launchCount
      keychain = launch.keychain
      name = call?.name
      arguments = call.map { LocatedValue.pieces(of: $0.arguments.members) } ?? []
    }

    /// The start that they are about; nil where they mean nothing.
    var launch: AppLaunch? {
      guard let system = SystemVersion(system) else { return nil }
      let locations = FakeContainer.Locations(
        url: URL(fileURLWithPath: container, isDirectory: true),
        groups: groups.mapValues { URL(fileURLWithPath: $0, isDirectory: true) })
      return AppLaunch(
        bundleIdentifier: bundleIdentifier, container: locations, system: system,
        appVersion: appVersion, launchCount: launchCount, keychain: keychain)
    }
  }

  package init(from decoder: any Decoder) throws {
    let parts = try Message(from: decoder)
    guard let launch = parts.launch, let members = LocatedValue.members(from: parts.arguments)
    else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "it is malformed"))
    }
    guard let name = parts.name else {
      self = parts.isCheck ? .check(launch) : .launch(launch)
      return
    }
    self = .perform(ActionCall(name, ActionArguments(members, of: name), in: launch))
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .launch(let launch): try Message(launch).encode(to: encoder)
    case .perform(let call): try Message(call.launch, call).encode(to: encoder)
    case .check(let launch): try Message(launch, isCheck: true).encode(to: encoder)
    case .flush: break
    }
  }
}
