internal import RecordStore
internal import VaultCrypto

/// The header of a vault (Schemas/secret-service.md section 3).
///
/// `hsip-vault:1 <vault id> <key epoch> <ceiling> <floor> <mark>`
struct KeyringHeader: Equatable, Sendable {
    /// How far the ceiling is raised.
    static let step: UInt64 = 1_024
    private static let magic = "hsip-vault:"
    private static let format: UInt32 = 1
    /// The highest number that an anchor can hold.
    private static let lastGeneration = UInt64(Int64.max)
    /// No header is longer.
    static let longest = 160

    let vaultID: [UInt8]
    /// The key epoch: it rises when the vault moves from a file.
    let epoch: UInt32
    /// No commit has a higher generation.
    let ceiling: UInt64
    /// Records with a revision below this predate the last restore.
    let floor: UInt64
    /// 16 random bytes that are new with every raising of the ceiling.
    let mark: [UInt8]

    init(vaultID: [UInt8], epoch: UInt32, ceiling: UInt64, floor: UInt64, mark: [UInt8]) {
        self.vaultID = vaultID
        self.epoch = epoch
        self.ceiling = ceiling
        self.floor = floor
        self.mark = mark
    }

    /// Reads a header; nil for anything malformed.
    ///
    /// - Throws: `newerFormat`.
    init?(_ text: [UInt8]) throws(StoreError) {
        guard text.count <= Self.longest else { return nil }
        let fields = String(decoding: text, as: UTF8.self).split(
            separator: " ",
            omittingEmptySubsequences: false
        )
        guard let first = fields.first, first.hasPrefix(Self.magic),
            let format = UInt32(first.dropFirst(Self.magic.count))
        else { return nil }
        guard format <= Self.format else { throw .newerFormat(found: format, supported: Self.format) }
        guard fields.count == 6, let vaultID = Hex.decode(String(fields[1])), vaultID.count == 16,
            let epoch = UInt32(fields[2]), let ceiling = UInt64(fields[3]), let floor = UInt64(fields[4]),
            let mark = Hex.decode(String(fields[5])), mark.count == 16
        else { return nil }
        self.init(vaultID: vaultID, epoch: epoch, ceiling: ceiling, floor: floor, mark: mark)
        guard epoch > 0, (1...Self.lastGeneration).contains(ceiling), floor <= ceiling, encoded == text else {
            return nil
        }
    }

    /// The text.
    var encoded: [UInt8] {
        let fields = [
            "\(Self.magic)\(Self.format)", Hex.encode(vaultID), "\(epoch)", "\(ceiling)", "\(floor)",
            Hex.encode(mark),
        ]
        return Array(fields.joined(separator: " ").utf8)
    }

    /// A header that bounds nothing: for looking at items whatever their revision.
    static func unbounded(_ vaultID: [UInt8]) -> KeyringHeader {
        KeyringHeader(vaultID: vaultID, epoch: 1, ceiling: .max, floor: 0, mark: [])
    }

    /// Generations up to this one were made before the present mark.
    var base: UInt64 { ceiling - min(ceiling, Self.step) }

    /// The header that lets commits from `generation` on happen.
    ///
    /// - Throws: `tampered(.head)` when there are no numbers left: no history is that long.
    func raised(to generation: UInt64, mark: [UInt8]) throws(StoreError) -> KeyringHeader {
        let (ceiling, isTooHigh) = generation.addingReportingOverflow(Self.step - 1)
        guard !isTooHigh, ceiling <= Self.lastGeneration else { throw .tampered(.head) }
        return KeyringHeader(vaultID: vaultID, epoch: epoch, ceiling: ceiling, floor: floor, mark: mark)
    }

    /// The header that says exactly how far the vault is, for a service that may forget what it has acknowledged.
    ///
    /// The mark stays: it tells histories apart, and this is one.
    ///
    /// - Throws: `tampered(.head)` when there are no numbers left.
    func exact(_ generation: UInt64) throws(StoreError) -> KeyringHeader {
        guard generation <= Self.lastGeneration else { throw .tampered(.head) }
        return KeyringHeader(vaultID: vaultID, epoch: epoch, ceiling: generation, floor: floor, mark: mark)
    }

    /// The header under which a generation was reached, as far as the service allows with room for those to come.
    func bounded(at generation: UInt64, _ service: any ItemService) throws(StoreError) -> KeyringHeader {
        try service.isDurable() ? raised(to: generation, mark: mark) : exact(generation)
    }

    /// Compares a vault with the newest place in its history that was seen on this machine.
    ///
    /// - Throws: `rollback` when that place lies beyond the ceiling; `fork` when it was reached under another
    ///   mark than the one that reigns there.
    func judge(_ seen: AnchorText, at generation: UInt64) throws(StoreError) {
        if Position(epoch: epoch, generation: ceiling) < seen.position {
            throw .rollback(
                found: Position(epoch: epoch, generation: generation),
                expected: seen.position
            )
        }
        if seen.position.epoch == epoch, seen.position.generation > base, seen.tag != mark { throw .fork }
    }
}
