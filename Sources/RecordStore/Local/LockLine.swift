internal import Files
internal import Glibc
internal import VaultCrypto

/// The content of a vault's lock file (Schemas/keyring-vault.md section 6): the vault's position, and
/// whether the last change was finished.
///
/// `HSIP-LOCK-1 <vault id> <boot id> <key epoch> <generation> <floor> <mark> clean|dirty`, blanks, a line
/// feed at byte 191: always of this length, so that one write replaces all of it.
package struct LockLine: Equatable, Sendable {
    /// Bytes of the line.
    package static let size = 192
    private static let magic = "HSIP-LOCK-1"

    /// The vault of the lock.
    package let vaultID: [UInt8]
    /// The boot of the system in which the line was written; after another boot the line does not count.
    package let bootID: [UInt8]
    /// The newest position in the history.
    package let position: Position
    /// Records with a revision below this predate the last restore.
    package let floor: UInt64
    /// The mark of the header, which names the history of the position.
    package let mark: [UInt8]
    /// False from before the first write of a change until after its last.
    package let isClean: Bool

    /// A line for this run of the system.
    package init(vaultID: [UInt8], position: Position, floor: UInt64, mark: [UInt8], isClean: Bool) {
        self.init(
            vaultID: vaultID,
            bootID: BootID.current,
            position: position,
            floor: floor,
            mark: mark,
            isClean: isClean
        )
    }

    init(vaultID: [UInt8], bootID: [UInt8], position: Position, floor: UInt64, mark: [UInt8], isClean: Bool) {
        self.vaultID = vaultID
        self.bootID = bootID
        self.position = position
        self.floor = floor
        self.mark = mark
        self.isClean = isClean
    }

    /// The line at this position during a change.
    package var dirty: LockLine {
        LockLine(
            vaultID: vaultID,
            bootID: bootID,
            position: position,
            floor: floor,
            mark: mark,
            isClean: false
        )
    }

    /// Reads a line; nil for anything malformed, which counts as missing.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        let fields = bytes.dropLast().split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
        guard fields.count == 8, let vaultID = Hex.decode(fields[1]), let bootID = Hex.decode(fields[2]),
            let epoch = UInt32(fields[3]), let generation = UInt64(fields[4]), let floor = UInt64(fields[5]),
            let mark = Hex.decode(fields[6])
        else { return nil }
        self.init(
            vaultID: vaultID,
            bootID: bootID,
            position: Position(epoch: epoch, generation: generation),
            floor: floor,
            mark: mark,
            isClean: fields[7] == "clean"
        )
        // Text with signs, leading zeros, capitals or other words would be encoded differently.
        guard encoded == bytes else { return nil }
    }

    /// The 192 bytes.
    package var encoded: [UInt8] {
        let fields = [
            Self.magic, Hex.encode(vaultID), Hex.encode(bootID), "\(position.epoch)",
            "\(position.generation)", "\(floor)", Hex.encode(mark), isClean ? "clean" : "dirty",
        ]
        var bytes = Array(fields.joined(separator: " ").utf8)
        bytes.append(contentsOf: repeatElement(0x20, count: max(0, Self.size - 1 - bytes.count)))
        bytes.append(0x0A)
        return bytes
    }
}

/// The id that the kernel gave to the present boot of the system.
enum BootID {
    /// 16 bytes; zeros if the kernel does not give an id.
    static let current: [UInt8] = read() ?? Array(repeating: 0, count: 16)

    private static func read() -> [UInt8]? {
        let file = try? SecureFile<SystemFailure>("/proc/sys/kernel/random/boot_id", O_RDONLY)
        let digits = (try? file?.read(upTo: 64))?.filter { $0 != 0x2D && $0 != 0x0A } ?? []
        return Hex.decode(String(decoding: digits, as: UTF8.self)).flatMap { $0.count == 16 ? $0 : nil }
    }
}
