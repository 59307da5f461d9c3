/// Why a vault is not moved, or what a move left is not removed.
package enum MigrationError: Error, Equatable, Sendable {
    /// Something lies where the file would go.
    case taken(path: String)
    /// Another process moved the vault meanwhile.
    case overtaken
    /// The vault is gone from its place: what the move left may be all there is of it.
    case lastCopy
    /// What was read back is not what was written; the vault is where it was.
    case differs
}
