internal import RecordStore
internal import VaultCrypto

/// The header of a vault of format 1, which is taken over.
///
/// `hsip-vault:1 <vault id> <key epoch> <ceiling> <floor> <mark>`
struct KeyringHeader: Equatable, Sendable {
    private static let magic = "hsip-vault:1"
    /// No header is longer.
    private static let longest = 160
    /// How far below the ceiling the mark goes back.
    private static let step: UInt64 = 1_024

    let vaultID: [UInt8]
    /// The key epoch: it rises when the vault moves from a file.
    let epoch: UInt32
    /// No commit has a higher generation.
    let ceiling: UInt64
    /// Records with a revision below this predate the last restore.
    let floor: UInt64
    /// 16 random bytes that are new with every raising of the ceiling.
    let mark: [UInt8]

    /// Reads a header; nil for anything else.
    init?(_ text: RawSpan) {
        guard text.byteCount <= Self.longest else { return nil }
        let fields = String(decoding: text.copied(), as: UTF8.self).split(
            separator: " ",
            omittingEmptySubsequences: false
        )
        guard fields.count == 6, fields[0] == Self.magic, let vaultID = Hex.decode(String(fields[1])),
            let epoch = UInt32(fields[2]), let ceiling = UInt64(fields[3]), let floor = UInt64(fields[4]),
            let mark = Hex.decode(String(fields[5])), vaultID.count == 16, mark.count == 16, epoch > 0,
            (1...Root.lastGeneration).contains(ceiling), floor <= ceiling
        else { return nil }
        self.vaultID = vaultID
        self.epoch = epoch
        self.ceiling = ceiling
        self.floor = floor
        self.mark = mark
        let again = [
            Self.magic, Hex.encode(vaultID), "\(epoch)", "\(ceiling)", "\(floor)", Hex.encode(mark),
        ]
        guard again.elementsEqual(fields.map { String($0) }) else { return nil }
    }

    /// The last place in the history that it allows.
    var position: Position { Position(epoch: epoch, generation: ceiling) }

    /// Compares a vault with the newest place in its history that was seen on this machine.
    ///
    /// - Throws: `rollback` when that place lies beyond the ceiling; `fork` when it was reached under another
    ///   mark than the one that reigns there.
    func judge(_ seen: AnchorText?) throws(StoreError) {
        guard let seen else { return }
        if position < seen.position { throw .rollback(found: position, expected: seen.position) }
        let base = ceiling - min(ceiling, Self.step)
        if seen.position.epoch == epoch, seen.position.generation > base, seen.tag != mark { throw .fork }
    }
}
