import Combine
import CryptoKit
import OSLog
import UIKit
import UniformTypeIdentifiers

private let logger = Logger(subsystem: "com.example.photos", category: "store")

@objcMembers package final class PhotoStore: NSObject, ObservableObject {
  @Published package private(set) var names: [String] = []
  package let saved = PassthroughSubject<String, Never>()
  package let last = CurrentValueSubject<String?, Never>(nil)
  /// How many names there were when one came.
  package private(set) var counts: [Int] = []
  private var observations = Set<AnyCancellable>()
  private let folder: URL

  package init(folder: URL) {
    self.folder = folder
    super.init()
    $names.dropFirst().map { $0.last }.removeDuplicates()
      .sink { [weak self] in
        self?.counts.append(self?.names.count ?? 0)
        self?.last.send($0)
      }
      .store(in: &observations)
    NotificationCenter.default.addObserver(
      self, selector: #selector(save(_:)), name: UIApplication.didEnterBackgroundNotification,
      object: nil)
    NotificationCenter.default.publisher(for: UIApplication.willTerminateNotification)
      .sink { [weak self] _ in self?.names = [] }
      .store(in: &observations)
  }

  @objc package func save(_ note: Notification) {}

  /// Saves the photo under the hash of its data.
  @objc(savePhoto:error:) package func save(photo data: Data) throws -> String {
    guard let image = UIImage(data: data), let png = image.pngData() else {
      os_log("%{public}@ has %d bytes", log: .default, type: .error, "the photo", data.count)
      throw CocoaError(.fileReadCorruptFile)
    }
    let hash = SHA256.hash(data: png).map { String(format: "%02x", $0) }.joined()
    let file = folder.appendingPathComponent(hash).appendingPathExtension(for: UTType.png)
    let task = UIApplication.shared.beginBackgroundTask { logger.fault("out of time") }
    defer { UIApplication.shared.endBackgroundTask(task) }
    try autoreleasepool { try coordinate(writing: png, to: file) }
    logger.info("saved \(file.lastPathComponent, privacy: .public)")
    names.append(file.lastPathComponent)
    saved.send(file.lastPathComponent)
    return file.lastPathComponent
  }

  private func coordinate(writing data: Data, to file: URL) throws {
    var failure: NSError?
    var result = Result<Void, Error>.success(())
    NSFileCoordinator(filePresenter: nil).coordinate(
      writingItemAt: file, options: .forReplacing, error: &failure
    ) { url in
      result = Result { try data.write(to: url) }
    }
    if let failure { throw failure }
    try result.get()
  }
}
