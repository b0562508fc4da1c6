import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupJSON5
package import Foundation

/// A message between the test and the app: a number, followed by the content as JSON. Most messages
/// have no content, and so avoid JSON, which is slow.
///
/// An answer has the number of its request. The app's code may also write to the connection, and
/// its bytes must not pass for an answer.
package struct AppMessage<Content: AppMessageContent>: Sendable {
  /// The number of the request, from 1; 0 for the message by which a process says that it has started.
  package let number: Int
  package let content: Content

  package init(_ number: Int, _ content: Content) {
    self.number = number
    self.content = content
  }

  /// Reads a message from bytes; nil for other bytes, which the app's code or another program has
  /// sent.
  package init?(_ data: Data) {
    guard data.count >= Self.headSize else { return nil }
    let head = data.prefix(Self.headSize).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let body = data.dropFirst(Self.headSize)
    let content = body.isEmpty ? Content() : try? JSONDecoder().decode(Content.self, from: body)
    guard let content else { return nil }
    self.init(Int(truncatingIfNeeded: head), content)
  }

  package func data() throws -> Data {
    let head = withUnsafeBytes(of: UInt64(truncatingIfNeeded: number).bigEndian) { Data($0) }
    return content.isEmpty ? head : try head + JSONEncoder().encode(content)
  }

  private static var headSize: Int { MemoryLayout<UInt64>.size }
}

package protocol AppMessageContent: Codable, Sendable {
  /// Creates empty content.
  init()

  var isEmpty: Bool { get }
}

package enum AppRequest: AppMessageContent, Sendable {
  /// Asks the app to run its code for each launch.
  case launch(AppLaunch)
  case perform(ActionCall)
  case check(AppLaunch)
  /// Asks the app to write what it has in memory, such as its preferences.
  case flush

  package init() { self = .flush }

  package var isEmpty: Bool {
    if case .flush = self { true } else { false }
  }

  private struct Message: Codable {
    let bundleIdentifier: String
    let container: String
    /// The absolute paths of the groups' containers, by identifier.
    let groups: [String: String]
    let system: String
    let appVersion: String
    let launchCount: Int
    let keychain: ActionCall.Keychain
    /// The action's name; empty if no action is performed.
    let name: String
    let arguments: [LocatedValue.Piece]
    let purpose: Purpose

    enum Purpose: String, Codable {
      case launch, perform, check
    }

    init(_ launch: AppLaunch, for purpose: Purpose, _ call: ActionCall? = nil) {
      self.purpose = purpose
      bundleIdentifier = launch.bundleIdentifier
      container = launch.container.url.path
      groups = launch.container.groups.mapValues(\.path)
      system = launch.system.description
      appVersion = launch.appVersion
      launchCount = launch.launchCount
      keychain = launch.keychain
      name = call?.name ?? ""
      arguments = call.map { LocatedValue.pieces(of: $0.arguments.members) } ?? []
    }

    /// The launch that the message describes; nil if it is invalid.
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
    let message = try Message(from: decoder)
    guard let launch = message.launch, let members = LocatedValue.members(from: message.arguments)
    else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "it is malformed"))
    }
    switch message.purpose {
    case .launch: self = .launch(launch)
    case .check: self = .check(launch)
    case .perform:
      let arguments = ActionArguments(members: members, action: message.name)
      self = .perform(ActionCall(name: message.name, launch: launch, arguments: arguments))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .launch(let launch): try Message(launch, for: .launch).encode(to: encoder)
    case .perform(let call): try Message(call.launch, for: .perform, call).encode(to: encoder)
    case .check(let launch): try Message(launch, for: .check).encode(to: encoder)
    case .flush: break
    }
  }
}

package struct AppReply: AppMessageContent, Hashable {
  /// The reason why the app cannot handle any request; nil if it can.
  package var refusal: String?
  /// The name that Foundation gives this process's files.
  package var processName: String?
  /// The folder that Foundation takes for the app's bundle, by its name.
  package var bundleName: String?
  package var thrown: ActionCall.CodeError?
  package var issues: [Issue] = []
  package var asked: [String] = []
  package var modulesWithShim: Set<String> = []
  /// The folder in which Foundation keeps temporary files, if it is not the container's `tmp`.
  package var sharedTemporaryFolder: String?
  /// The code that was asked for, if the app does not have it.
  package var missingCode: MissingCode?

  package enum MissingCode: String, Codable, Sendable {
    case launch, check
  }

  package init() {}

  package init(refusal: String) { self.refusal = refusal }

  package var isEmpty: Bool { self == AppReply() }

  /// Returns the bytes of the answer. An answer that cannot be encoded, or has more than `size`
  /// bytes, is replaced with one that says so.
  package func message(to number: Int, ofAtMost size: Int) -> Data {
    let refusal: String
    do {
      let data = try AppMessage(number, self).data()
      guard data.count > size else { return data }
      refusal =
        "the errors and issues of the app's code take \(data.count.formattedSize), more than the "
        + "\(size.formattedSize) that can be sent to the test; shorten their texts"
    } catch {
      refusal =
        "the errors and issues of the app's code cannot be sent to the test (\(error)); this is a "
        + "bug in the kit, please report it"
    }
    // If the answer has no content, the test says that it is malformed.
    return (try? AppMessage(number, AppReply(refusal: refusal)).data()) ?? Data()
  }

  /// An issue that the app's code has recorded, such as by `#expect`.
  package struct Issue: Codable, Hashable, Sendable {
    package let text: String
    package let isWarning: Bool
    package let site: CallSite

    package init(_ text: String, isWarning: Bool, at site: CallSite) {
      self.text = text
      self.isWarning = isWarning
      self.site = site
    }
  }
}
