/// Why a file or folder is not trusted with a vault.
public enum UnsafeReason: Equatable, Sendable, Codable {
    /// Not a regular file (or, for a folder, not a directory): a link, a pipe, a device.
    case wrongType
    /// Owned by user `uid`, neither by us nor, for an ancestor, by root.
    case owner(uid: UInt32)
    /// Group or others may use it; `mode` is the permission part.
    case mode(UInt32)
    /// It has more than one name: `links` hard links.
    case hardLinks(UInt64)
    /// An ancestor folder that group or others may write to and that is not sticky.
    case writableAncestor(mode: UInt32)
    /// It was taken away, or another was put in its place, while the vault was open.
    case moved
    /// The folder that it lies in may not be entered.
    case hidden
}
