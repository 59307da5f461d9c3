internal import LocalState
internal import RecordStore

/// What a store knows of its vault as long as the lock file says the same.
struct Known: Equatable, Sendable {
    /// The lock file.
    var line: LockLine
    /// The header.
    var header: KeyringHeader
    /// Where the header is.
    var headerPath: ItemPath

    /// The number of the newest commit.
    var generation: UInt64 { line.position.generation }

    /// The anchor of this place in the history.
    var anchor: AnchorText {
        AnchorText(vaultID: header.vaultID, position: line.position, tag: header.mark)
    }

    /// Whether the lock file speaks of this header; after the keyring was put back it may not.
    var isCoherent: Bool {
        line(at: generation) == line && (header.base...header.ceiling).contains(generation)
    }

    /// The lock file for another generation of the same vault.
    func line(at generation: UInt64) -> LockLine { header.line(at: generation) }
}

extension KeyringHeader {
    /// The lock file for a generation under this header, when all is well.
    func line(at generation: UInt64) -> LockLine {
        LockLine(
            vaultID: vaultID,
            position: Position(epoch: epoch, generation: generation),
            floor: floor,
            mark: mark,
            isClean: true
        )
    }
}
