// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(Linux)
  public import Foundation

  /// A type's identifier and file name extension; conformance to other types is not known.
  public struct UTType: Hashable, Codable, Sendable {
    public static let data = UTType("public.data", nil)
    public static let item = UTType("public.item", nil)
    public static let folder = UTType("public.folder", nil)
    public static let directory = UTType("public.directory", nil)
    public static let text = UTType("public.text", nil)
    public static let image = UTType("public.image", nil)
    public static let movie = UTType("public.movie", nil)
    public static let video = UTType("public.video", nil)
    public static let audio = UTType("public.audio", nil)
    public static let url = UTType("public.url", nil)
    public static let fileURL = UTType("public.file-url", nil)
    public static let plainText = UTType("public.plain-text", "txt")
    public static let utf8PlainText = UTType("public.utf8-plain-text", nil)
    public static let json = UTType("public.json", "json")
    public static let xml = UTType("public.xml", "xml")
    public static let html = UTType("public.html", "html")
    public static let pdf = UTType("com.adobe.pdf", "pdf")
    public static let zip = UTType("public.zip-archive", "zip")
    public static let png = UTType("public.png", "png")
    public static let jpeg = UTType("public.jpeg", "jpeg")
    public static let gif = UTType("com.compuserve.gif", "gif")
    public static let heic = UTType("public.heic", "heic")
    public static let mp3 = UTType("public.mp3", "mp3")
    public static let mpeg4Movie = UTType("public.mpeg-4", "mp4")
    public static let quickTimeMovie = UTType("com.apple.quicktime-movie", "mov")
    public static let propertyList = UTType("com.apple.property-list", "plist")

    private static let withExtension = [
      plainText, json, xml, html, pdf, zip, png, jpeg, gif, heic, mp3, mpeg4Movie, quickTimeMovie,
      propertyList,
    ]

    public let identifier: String
    public let preferredFilenameExtension: String?

    private init(_ identifier: String, _ preferredFilenameExtension: String?) {
      self.identifier = identifier
      self.preferredFilenameExtension = preferredFilenameExtension
    }

    public init?(_ identifier: String) {
      let known = Self.withExtension.first { $0.identifier == identifier }
      self = known ?? UTType(identifier, nil)
    }

    public init(exportedAs identifier: String, conformingTo parent: UTType? = nil) {
      self.init(identifier, nil)
    }

    public init(importedAs identifier: String, conformingTo parent: UTType? = nil) {
      self.init(identifier, nil)
    }

    public init?(filenameExtension: String, conformingTo parent: UTType? = nil) {
      let name = filenameExtension == "jpg" ? "jpeg" : filenameExtension.lowercased()
      let known = Self.withExtension.first { $0.preferredFilenameExtension == name }
      self = known ?? UTType("dyn.\(name)", name)
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
