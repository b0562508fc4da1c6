public import BackupDevice
public import Testing

extension SystemProfile: CustomTestStringConvertible {
  /// As the argument of a test, its name: a profile's values have 2,700 characters.
  public var testDescription: String { "iOS \(version)" }
}
