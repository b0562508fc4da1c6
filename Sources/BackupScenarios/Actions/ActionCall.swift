public import BackupContainer
public import BackupDevice
import BackupDiagnostics
import Foundation

/// A call of an action, with its arguments and facts about the app and the device.
public struct ActionCall: Sendable {
  /// The name by which the scenario or the test calls the action.
  public let name: String
  /// Facts about the app's launch, as they are when the action begins.
  let launch: AppLaunch
  let arguments: ActionArguments
  /// The names of the arguments that the action has asked for.
  private let requestedNames = Locked<Set<String>>([])

  package var requestedArgumentNames: Set<String> { requestedNames.withLock { $0 } }

  package func recordRequestedArguments(_ names: some Sequence<String>) {
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
  /// The keychain items that the app stored for this device only: kept or lost by the latest
  /// installation or restore of the app.
  public var keychain: Keychain { launch.keychain }

  /// Returns an argument, decoded as a type.
  ///
  /// - Parameters:
  ///   - name: The key in the step's `with`.
  ///   - type: The type of the value, decodable from JSON; may be inferred.
  /// - Returns: The value.
  /// - Throws: ``ArgumentError`` if the argument is missing or has a different type.
  public func argument<Value: Decodable>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(ArgumentError) -> Value {
    recordRequestedArguments([name])
    return try arguments.value(of: name, as: type)
  }

  /// Returns an argument, decoded as a type, or nil if the step does not have it.
  ///
  /// - Parameters:
  ///   - name: The key in the step's `with`.
  ///   - type: The type of the value, decodable from JSON; may be inferred.
  /// - Returns: The value, or nil.
  /// - Throws: ``ArgumentError`` if the argument has a different type.
  public func argumentIfPresent<Value: Decodable>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(ArgumentError) -> Value? {
    recordRequestedArguments([name])
    return arguments.names.contains(name) ? try arguments.value(of: name, as: type) : nil
  }

  /// Returns all arguments, decoded as one value, whose keys are the names of the arguments.
  ///
  /// - Parameter type: The type of the value; may be inferred.
  /// - Returns: The value.
  /// - Throws: ``ArgumentError`` if an argument is missing or has a different type.
  public func arguments<Value: Decodable>(
    as type: Value.Type = Value.self
  ) throws(ArgumentError) -> Value {
    recordRequestedArguments(arguments.names)
    return try arguments.all(as: type)
  }

  /// The fate of the keychain items that an app stored for this device only.
  ///
  /// The kit has no keychain. If a test replaces the keychain, the replacement must remove its
  /// items after a loss:
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
    /// All items are gone, because the app starts on another device for the first time.
    case lost
  }

  /// An error that says that an argument is missing or has a different type.
  public struct ArgumentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence that names the argument and the problem, and says what to write.
    public let description: String
    /// The position of the value in the scenario file; nil if the argument is missing.
    let position: SourcePosition?
  }

  /// A launch of the app or of an extension, with facts for the launched code.
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
    /// The keychain items that the app stored for this device only: kept or lost by the latest
    /// installation or restore of the app.
    public let keychain: Keychain
    /// True if the check was called, but the app has no `check` of its own.
    package let usesDefaultCheck = Locked(false)
    /// True if the launch code was called, but the app has no `launch` of its own.
    package let usesDefaultLaunch = Locked(false)
  }

  /// A copy of an error that the app's code threw in a process of its own. The process cannot send
  /// the error itself to the test.
  public struct CodeError: Error, Hashable, Sendable, CustomStringConvertible, Codable {
    /// The description of the original error.
    public let description: String
    /// The error's domain in Foundation, such as `NSCocoaErrorDomain`.
    public let domain: String
    /// The error's code in its domain.
    public let code: Int
    let thrown: ThrownError

    package init(_ error: any Error) {
      let cocoaError = error as NSError
      self.thrown = ThrownError(error)
      self.description = thrown.message
      self.domain = cocoaError.domain
      self.code = cocoaError.code
    }
  }
}

/// A short name for a launch. `AppUnderTest.AppLaunch` is the same name for users.
package typealias AppLaunch = ActionCall.Launch
