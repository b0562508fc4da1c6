// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(Linux)
  public import Foundation

  /// A type's identifier and file name extension; conformance to other types is not known.
  public struct UTType: Hashable, Codable, Sendable {
    public static let data = UTType(known: "public.data")
    public static let item = UTType(known: "public.item")
    public static let folder = UTType(known: "public.folder")
    public static let directory = UTType(known: "public.directory")
    public static let text = UTType(known: "public.text")
    public static let image = UTType(known: "public.image")
    public static let movie = UTType(known: "public.movie")
    public static let video = UTType(known: "public.video")
    public static let audio = UTType(known: "public.audio")
    public static let url = UTType(known: "public.url")
    public static let fileURL = UTType(known: "public.file-url")
    public static let plainText = UTType(known: "public.plain-text")
    public static let utf8PlainText = UTType(known: "public.utf8-plain-text")
    public static let json = UTType(known: "public.json")
    public static let xml = UTType(known: "public.xml")
    public static let html = UTType(known: "public.html")
    public static let pdf = UTType(known: "com.adobe.pdf")
    public static let zip = UTType(known: "public.zip-archive")
    public static let png = UTType(known: "public.png")
    public static let jpeg = UTType(known: "public.jpeg")
    public static let gif = UTType(known: "com.compuserve.gif")
    public static let heic = UTType(known: "public.heic")
    public static let mp3 = UTType(known: "public.mp3")
    public static let mpeg4Movie = UTType(known: "public.mpeg-4")
    public static let quickTimeMovie = UTType(known: "com.apple.quicktime-movie")
    public static let propertyList = UTType(known: "com.apple.property-list")

    public let identifier: String
    public let preferredFilenameExtension: String?

    private init(known identifier: String) {
      self.identifier = identifier
      preferredFilenameExtension = typeIdentifiers.first { $0.value == identifier }?.key
    }

    public init?(_ identifier: String) { self.init(known: identifier) }

    public init(exportedAs identifier: String, conformingTo parent: UTType? = nil) {
      self.init(known: identifier)
    }

    public init(importedAs identifier: String, conformingTo parent: UTType? = nil) {
      self.init(known: identifier)
    }

    public init?(filenameExtension: String, conformingTo parent: UTType? = nil) {
      let known = UTType(known: typeIdentifier(forExtension: filenameExtension))
      identifier = known.identifier
      preferredFilenameExtension =
        known.preferredFilenameExtension ?? filenameExtension.lowercased()
    }
  }

  extension URL {
    public func appendingPathExtension(for type: UTType) -> URL {
      type.preferredFilenameExtension.map(appendingPathExtension) ?? self
    }

    public func appendingPathComponent(_ name: String, conformingTo type: UTType) -> URL {
      appendingPathComponent(name).appendingPathExtension(for: type)
    }
  }
#endif
