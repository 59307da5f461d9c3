internal import CLinux
internal import Glibc

/// Notices that files of a folder come, go or move.
final class FolderWatch: Sendable {
    /// Poll it for reading, then call `seen`.
    let descriptor: Int32

    /// Watches a folder; nil where the system has no room for it.
    init?(_ path: String) {
        descriptor = unsafe hsip_folder_watch(path)
        guard descriptor >= 0 else { return nil }
    }

    func seen() { hsip_folder_seen(descriptor) }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
