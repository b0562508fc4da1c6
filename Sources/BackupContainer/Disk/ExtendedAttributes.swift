internal import CBackupFiles
import Foundation

/// Extended attributes of one item, by absolute path; never follows a link at its end.
enum ExtendedAttributes {
  /// Sets an attribute, replacing a former value.
  static func set(
    _ name: String, to value: [UInt8], at path: UnsafePointer<CChar>
  ) throws(SystemError) {
    guard cea_set(path, name, value, value.count) == 0 else { throw SystemError() }
  }

  /// Removes an attribute; one that is not there is no error.
  static func remove(_ name: String, at path: UnsafePointer<CChar>) throws(SystemError) {
    guard cea_remove(path, name) == 0 || cea_is_missing_error(errno) != 0 else {
      throw SystemError()
    }
  }

  /// An attribute's value, or nil where the item has none of that name.
  static func value(
    of name: String, at path: UnsafePointer<CChar>
  ) throws(SystemError) -> [UInt8]? {
    let size = cea_get(path, name, nil, 0)
    if size < 0, cea_is_missing_error(errno) != 0 { return nil }
    guard size >= 0 else { throw SystemError() }
    var value = [UInt8](repeating: 0, count: size)
    let read = cea_get(path, name, &value, size)
    guard read >= 0 else { throw SystemError() }
    return Array(value.prefix(read))
  }
}
