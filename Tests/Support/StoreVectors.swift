internal import Foundation

/// The known answers of `Schemas/vectors`.
public enum StoreVectors {
    /// A JSON file of known answers, by its name.
    public static func load(_ name: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(contentsOf: folder.appendingPathComponent(name)))
    }

    /// A JSON file of `Schemas` itself.
    public static func schema(_ name: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(contentsOf: schemas.appendingPathComponent(name)))
    }

    /// The names of all files that begin with `prefix`.
    public static func names(prefix: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix(prefix) && $0.hasSuffix(".json") }.sorted()
    }

    /// The path of a file of `Schemas`.
    public static func path(_ name: String) -> String { schemas.appendingPathComponent(name).path }

    private static var folder: URL { schemas.appendingPathComponent("vectors") }

    private static var schemas: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Schemas")
    }
}
