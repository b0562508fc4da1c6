public import BackupContainer
public import BackupDevice
import BackupDiagnostics
import Foundation

/// A call of a bound action, with its arguments and the app's circumstances.
public struct ActionCall: Sendable {
  /// The name by which the scenario or the test calls the action.
  public let name: String
  /// The app's circumstances at its launch, with later changes.
  let launch: AppLaunch
  let arguments: ActionArguments
  /// The names of the arguments that the action has asked for.
  private let requestedNames = Locked<Set<String>>([])

  package var askedNames: Set<String> { requestedNames.withLock { $0 } }

  package func noteAsked(_ names: some Sequence<String>) {
    requestedNames.withLock { $0.formUnion(names) }
  }

  /// The container that the app's code must work in.
  public var container: FakeContainer.Locations { launch.container }
  /// The version of iOS that the device has now.
  public var system: SystemVersion { launch.system }
  /// The version that the app has now; an update changes it.
  public var appVersion: String { launch.appVersion }
  /// The number of launches of the app so far, including this one; 1 at first.
  public var launchCount: Int { launch.launchCount }
  /// The state in which the latest installation or restore of the app left the keychain items that
  /// it had stored for this device only.
  public var keychain: Keychain { launch.keychain }

  /// Returns the argument with a name, as any type that can be decoded from JSON.
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

  /// Returns the argument with a name, or nil if the step has none.
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

  /// Returns all arguments as one value whose keys are their names.
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

  /// The state of an app's keychain items that are for this device only.
  ///
  /// The kit has no keychain. Code that replaces it in a test must remove its items if they are
  /// lost:
  ///
  /// ```swift
  /// actions.bind("signIn") { action in
  ///   if action.keychain == .lost { keychain.removeAll() }
  /// }
  /// ```
  @nonexhaustive
  public enum Keychain: String, CaseIterable, Codable, Hashable, Sendable {
    /// All items that the app stored are still there.
    case kept
    /// No items are left: the app starts for the first time on another device.
    case lost
  }

  /// An error for an argument that is missing, or of another type than the action requires.
  public struct ArgumentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The argument, what is wrong with it and what to write, in a sentence.
    public let description: String
    /// The value in the scenario file; nil if the argument is missing.
    let position: SourcePosition?
  }

  /// A launch of the app, with the circumstances that it finds.
  public struct Launch: Sendable {
    /// The bundle identifier of the app or extension that was launched.
    public let bundleIdentifier: String
    /// The container that the app's code must work in: the app's, or the extension's own.
    public let container: FakeContainer.Locations
    /// The version of iOS that the device has now.
    public let system: SystemVersion
    /// The version that the app has now; an update changes it.
    public let appVersion: String
    /// The number of launches of the app so far, including this one; 1 at first.
    public let launchCount: Int
    /// The state in which the latest installation or restore of the app left the keychain items
    /// that it had stored for this device only.
    public let keychain: Keychain
    /// True if the app's own check was requested, but does not exist.
    package let isUnchecked = Locked(false)
    /// True if the app has no `launch` of its own.
    package let isUnused = Locked(false)
  }

  /// An error that the app's code threw in a separate process. The error itself cannot be sent to
  /// the test.
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

/// The name of a launch in the kit, and for users in their app's type.
package typealias AppLaunch = ActionCall.Launch
