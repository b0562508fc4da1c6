public import BackupContainer
public import BackupDevice
import Foundation

/// What a bound action is called with.
public struct ActionCall: Sendable {
  /// The name by which the scenario or the test calls the action.
  public let name: String
  /// What the app found at its start, and what has become of it.
  let launch: AppLaunch
  let arguments: ActionArguments
  /// The names of the arguments that the action has asked for.
  private let asked = Locked<Set<String>>([])

  package var askedNames: Set<String> { asked.withLock { $0 } }

  package func noteAsked(_ names: some Sequence<String>) {
    asked.withLock { $0.formUnion(names) }
  }

  /// The container that the app's code must work in.
  public var container: FakeContainer.Locations { launch.container }
  /// The version of iOS that the device has now.
  public var system: SystemVersion { launch.system }
  /// The version that the app has now; an update changes it.
  public var appVersion: String { launch.appVersion }
  /// How often the app was started, this time included: 1 at first.
  public var launchCount: Int { launch.launchCount }
  /// What is there of what the app had put into the keychain for this device only: what became of it
  /// when the app was last installed or restored.
  public var keychain: Keychain { launch.keychain }

  /// The argument of a name, as any type that can be decoded from JSON.
  ///
  /// - Parameters:
  ///   - name: The key in the step's `with`.
  ///   - type: The type that the value must have; may be inferred.
  /// - Returns: The value.
  /// - Throws: ``ArgumentError`` if the argument is missing or has a different type.
  public func argument<Value: Decodable>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(ArgumentError) -> Value {
    noteAsked([name])
    return try arguments.value(of: name, as: type)
  }

  /// The argument of a name, nil where the step has none.
  ///
  /// - Parameters:
  ///   - name: The key in the step's `with`.
  ///   - type: The type that the value must have; may be inferred.
  /// - Returns: The value, or nil.
  /// - Throws: ``ArgumentError`` if the argument has a different type.
  public func argumentIfPresent<Value: Decodable>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(ArgumentError) -> Value? {
    noteAsked([name])
    return arguments.names.contains(name) ? try arguments.value(of: name, as: type) : nil
  }

  /// All arguments as one value whose keys are their names.
  ///
  /// - Parameter type: The type that they must decode to; may be inferred.
  /// - Returns: The value.
  /// - Throws: ``ArgumentError`` if an argument is missing or has a different type.
  public func arguments<Value: Decodable>(
    as type: Value.Type = Value.self
  ) throws(ArgumentError) -> Value {
    noteAsked(arguments.names)
    return try arguments.all(as: type)
  }

  /// What is there of the keychain items of an app that are for this device only.
  ///
  /// The kit has no keychain. Code that stands for one in a test forgets its items where they are
  /// lost:
  ///
  /// ```swift
  /// actions.bind("signIn") { action in
  ///   if action.keychain == .lost { keychain.removeAll() }
  /// }
  /// ```
  @nonexhaustive
  public enum Keychain: String, CaseIterable, Codable, Hashable, Sendable {
    /// All that the app had put there.
    case kept
    /// Nothing: the app starts for the first time on another device.
    case lost
  }

  /// An argument that is missing or of another type than the action takes.
  public struct ArgumentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where and why, in a sentence.
    public let description: String
  }

  /// A start of the app: what it finds.
  public struct Launch: Sendable {
    /// The bundle identifier of what was started: the app's, or that of an extension of it.
    public let bundleIdentifier: String
    /// The container that the app's code must work in: the app's, or the extension's own.
    public let container: FakeContainer.Locations
    /// The version of iOS that the device has now.
    public let system: SystemVersion
    /// The version that the app has now; an update changes it.
    public let appVersion: String
    /// How often the app was started, this time included: 1 at first.
    public let launchCount: Int
    /// What is there of what the app had put into the keychain for this device only: what became of
    /// it when the app was last installed or restored.
    public let keychain: Keychain
    /// Whether the app's own check was asked for, but does not exist.
    package let isUnchecked = Locked(false)
    /// Whether the app has no `launch` of its own.
    package let isUnused = Locked(false)
  }

  /// An error that the app's code threw in a process of its own: the error itself cannot cross.
  public struct CodeError: Error, Hashable, Sendable, CustomStringConvertible, Codable {
    /// The error in its own words.
    public let description: String
    /// The domain that Foundation gives it, such as `NSCocoaErrorDomain`.
    public let domain: String
    /// The error's code in its domain.
    public let code: Int
    let thrown: ThrownError

    package init(_ error: any Error) {
      let cocoa = error as NSError
      self.thrown = ThrownError(error)
      self.description = thrown.message
      self.domain = cocoa.domain
      self.code = cocoa.code
    }
  }
}

/// The name that it has for the kit, and for users in their app's type.
package typealias AppLaunch = ActionCall.Launch
