public import BackupDevice
public import Testing

extension SystemProfile: CustomTestStringConvertible {
  /// The name of the iOS version. The default description of a profile has 2,700 characters.
  public var testDescription: String { "iOS \(version)" }
}
