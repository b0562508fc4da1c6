// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(Linux)
  public import Foundation

  /// Has the file that it was made of, or nothing. Conformance to other types than `public.data`
  /// and `public.item` is not known. Handlers are called at once.
  open class NSItemProvider: NSObject {
    public enum ErrorCode: Int, Sendable {
      case unknownError = -1
      case itemUnavailableError = -1000
      case unexpectedValueClassError = -1100
      case unavailableCoercionError = -1200
    }

    public static let errorDomain = "NSItemProviderErrorDomain"

    open var suggestedName: String?

    private let file: URL?

    public override init() { file = nil }

    public init?(contentsOf file: URL?) {
      guard let file, (try? file.checkResourceIsReachable()) == true else { return nil }
      self.file = file
    }

    open var registeredTypeIdentifiers: [String] {
      file.map { [typeIdentifier(forExtension: $0.pathExtension)] } ?? []
    }

    open func hasItemConformingToTypeIdentifier(_ type: String) -> Bool {
      file != nil && (["public.data", "public.item"] + registeredTypeIdentifiers).contains(type)
    }

    /// The file is a copy, which is removed after the handler.
    @discardableResult open func loadFileRepresentation(
      forTypeIdentifier type: String,
      completionHandler: @escaping @Sendable (URL?, (any Error)?) -> Void
    ) -> Progress {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent(UUID().uuidString, isDirectory: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      return load(type, completionHandler) { file in
        let copy = folder.appendingPathComponent(file.lastPathComponent)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: file, to: copy)
        return copy
      }
    }

    @discardableResult open func loadDataRepresentation(
      forTypeIdentifier type: String,
      completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress {
      load(type, completionHandler) { try Data(contentsOf: $0) }
    }

    private func load<Value>(
      _ type: String, _ handler: (Value?, (any Error)?) -> Void, _ read: (URL) throws -> Value
    ) -> Progress {
      let progress = Progress(totalUnitCount: 1)
      do {
        guard let file, hasItemConformingToTypeIdentifier(type) else {
          throw NSError(
            domain: Self.errorDomain, code: ErrorCode.itemUnavailableError.rawValue,
            userInfo: [NSLocalizedDescriptionKey: "The item provider has no \(type)."])
        }
        let value = try read(file)
        progress.completedUnitCount = 1
        handler(value, nil)
      } catch {
        handler(nil, error)
      }
      return progress
    }
  }

  package let typeIdentifiers = [
    "txt": "public.plain-text", "json": "public.json", "xml": "public.xml", "html": "public.html",
    "pdf": "com.adobe.pdf", "zip": "public.zip-archive", "png": "public.png",
    "jpeg": "public.jpeg", "gif": "com.compuserve.gif", "heic": "public.heic",
    "mp3": "public.mp3", "mp4": "public.mpeg-4", "mov": "com.apple.quicktime-movie",
    "plist": "com.apple.property-list",
  ]

  package func typeIdentifier(forExtension name: String) -> String {
    let name = name.lowercased()
    return typeIdentifiers[name == "jpg" ? "jpeg" : name] ?? "dyn.\(name)"
  }
#endif
