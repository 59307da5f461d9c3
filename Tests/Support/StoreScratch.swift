internal import Foundation

/// A folder of its own for one test, readable by no one else, removed with the last holder.
public final class StoreScratch: Sendable {
    /// The folder's path.
    public let path: String

    /// Makes the folder below the system's folder for temporary files.
    public init() throws {
        let parent = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        path = parent.appendingPathComponent("hsip-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
