import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupJSON5
package import Foundation

/// A message between the test's process and the app's process: a number, then the content as JSON.
/// Empty content has no JSON, because JSON is slow and most messages have no content.
///
/// A reply has the number of its request. So the test can tell a reply from other bytes that the
/// app's code writes to the connection.
package struct AppMessage<Content: AppMessageContent>: Sendable {
  /// The number of the request, from 1. A process sends 0 once, to say that it has started.
  package let number: Int
  package let content: Content

  package init(_ number: Int, _ content: Content) {
    self.number = number
    self.content = content
  }

  /// Decodes a message. Returns nil for bytes that are no message: the app's code or another
  /// program sent them.
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
  /// Asks the app to run its launch code.
  case launch(AppLaunch)
  case perform(ActionCall)
  case check(AppLaunch)
  /// Asks the app to write data that is only in memory, such as preferences.
  case flush

  package init() { self = .flush }

  package var isEmpty: Bool {
    if case .flush = self { true } else { false }
  }

  /// A request in the form in which it is encoded as JSON.
  private struct EncodedRequest: Codable {
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

    /// The decoded launch; nil if the version of iOS is invalid.
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
    let request = try EncodedRequest(from: decoder)
    guard let launch = request.launch, let members = LocatedValue.members(from: request.arguments)
    else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "it is malformed"))
    }
    switch request.purpose {
    case .launch: self = .launch(launch)
    case .check: self = .check(launch)
    case .perform:
      let arguments = ActionArguments(members: members, actionName: request.name)
      self = .perform(ActionCall(name: request.name, launch: launch, arguments: arguments))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .launch(let launch): try EncodedRequest(launch, for: .launch).encode(to: encoder)
    case .perform(let call):
      try EncodedRequest(call.launch, for: .perform, call).encode(to: encoder)
    case .check(let launch): try EncodedRequest(launch, for: .check).encode(to: encoder)
    case .flush: break
    }
  }
}

package struct AppReply: AppMessageContent, Hashable {
  /// The reason why the app could not handle the request; nil if it could.
  package var refusal: String?
  /// The process name that Foundation uses in the names of this process's files.
  package var processName: String?
  /// The name of the folder that Foundation treats as the app's bundle.
  package var bundleName: String?
  package var thrown: ActionCall.CodeError?
  package var issues: [Issue] = []
  /// The names of the arguments that the action asked for.
  package var asked: [String] = []
  package var modulesWithShim: Set<String> = []
  /// The folder in which Foundation keeps temporary files, if it is not the container's `tmp`.
  package var sharedTemporaryFolder: String?
  /// The kind of code that the test requested, if the app has no such code.
  package var missingCode: MissingCode?

  package enum MissingCode: String, Codable, Sendable {
    case launch, check
  }

  package init() {}

  package init(refusal: String) { self.refusal = refusal }

  package var isEmpty: Bool { self == AppReply() }

  /// Encodes the reply. If encoding fails, or if the reply has more than `size` bytes, encodes a
  /// refusal that gives the reason.
  package func message(to number: Int, maximumSize size: Int) -> Data {
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
    // The test reports an empty message as a malformed answer.
    return (try? AppMessage(number, AppReply(refusal: refusal)).data()) ?? Data()
  }

  /// An issue that the app's code recorded, for example with `#expect`.
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
