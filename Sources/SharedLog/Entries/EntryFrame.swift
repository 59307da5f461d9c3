internal import VaultCrypto

/// What anybody sees of an entry: its place, its link, its epoch, and the boxes of a rekey.
package struct EntryFrame: Sendable {
    /// The first eight bytes.
    package static let magic = Array("HSIPLOG1".utf8)
    /// Bytes before the nonce.
    static let clearSize = 72
    private static let nonceEnd = clearSize + XChaCha20Poly1305.nonceSize
    private static let rekeyFlag: UInt32 = 1

    /// The whole entry.
    package let bytes: [UInt8]
    /// The log.
    package let log: LogID
    /// Its place.
    package let place: UInt64
    /// The hash of the entry before it; zeros for the first.
    package let link: [UInt8]
    /// The number of the key that it is sealed under, from 1 on.
    package let epoch: UInt32
    /// The boxes of a rekey; nil for any other entry.
    package let boxes: KeyBoxes?
    private let sealedStart: Int

    /// Reads the frame of an entry.
    ///
    /// - Throws: `logTooLarge` beyond 1 MiB; `malformed` for what has not the form of an entry; `newerEntry` for a flag of
    ///   later programs.
    package init(_ bytes: [UInt8]) throws(LogError) {
        guard bytes.count <= LogLimits.entry else { throw LogError(.logTooLarge) }
        guard bytes.count >= Self.nonceEnd, bytes.starts(with: Self.magic),
            let log = LogID(bytes: bytes[8..<24])
        else { throw LogError(.malformed) }
        self.bytes = bytes
        self.log = log
        place = bytes[24..<32].reduce(0) { $0 << 8 | UInt64($1) }
        link = Array(bytes[32..<64])
        epoch = bytes[64..<68].reduce(0) { $0 << 8 | UInt32($1) }
        let flags = bytes[68..<72].reduce(0) { $0 << 8 | UInt32($1) }
        guard flags & ~Self.rekeyFlag == 0 else { throw LogError(.newerEntry, at: place) }
        guard place > 0, epoch > 0 else { throw LogError(.malformed) }
        boxes = flags & Self.rekeyFlag == 0 ? nil : try KeyBoxes(bytes[Self.nonceEnd...])
        sealedStart = Self.nonceEnd + (boxes?.byteCount ?? 0)
        let packed = bytes.count - sealedStart - XChaCha20Poly1305.tagSize
        guard packed >= 128, Padding.paddedCount(packed) == packed else { throw LogError(.malformed) }
    }

    /// The head that it is, once it is taken.
    package var head: LogHead { LogHead(place: place, hash: LogHead.hash(of: bytes)) }

    /// The first 72 bytes.
    var clear: ArraySlice<UInt8> { bytes[..<Self.clearSize] }
    /// clear ‖ nonce ‖ rest: what the signature speaks of.
    var open: ArraySlice<UInt8> { bytes[..<sealedStart] }

    /// Opens the content into locked memory.
    ///
    /// - Throws: `logTampered` unless this key sealed exactly this entry; `outOfMemory`.
    func opened(key: Secret) throws(LogError) -> Secret {
        let tagStart = bytes.count - XChaCha20Poly1305.tagSize
        let data = Self.data(clear: clear, rest: bytes[Self.nonceEnd..<sealedStart])
        let packed: SecretBytes
        do throws(CryptoError) {
            packed = try XChaCha20Poly1305.open(
                bytes[sealedStart..<tagStart],
                tag: bytes[tagStart...],
                key: try EpochKey.seal(key, log: log, epoch: epoch),
                nonce: bytes[Self.clearSize..<Self.nonceEnd],
                authenticating: data
            )
        } catch {
            throw LogError(error)
        }
        guard let range = packed.withBytes({ Padding.content(of: $0, count: $0.byteCount) }) else {
            throw LogError(.logTampered)
        }
        let whole = Secret(packed)
        return try primitives { () throws(CryptoError) in try whole.part(range) }
    }

    /// What the seal authenticates beside the content.
    static func data(clear: ArraySlice<UInt8>, rest: ArraySlice<UInt8>) -> [UInt8] {
        LogLabel.entry.bytes + clear + rest
    }

    /// The first 72 bytes of an entry.
    static func clear(log: LogID, after head: LogHead, epoch: UInt32, isRekey: Bool) -> [UInt8] {
        var bytes = magic + log.bytes
        bytes += (head.place + 1).bigEndianBytes
        bytes += head.hash
        bytes += epoch.bigEndianBytes
        return bytes + (isRekey ? rekeyFlag : 0).bigEndianBytes
    }
}

/// What is derived from an epoch key K, 32 random bytes that all machines of the time know.
enum EpochKey {
    /// Bytes in K.
    static let size = 32

    /// The key that entries of the epoch are sealed under.
    static func seal(_ key: Secret, log: LogID, epoch: UInt32) throws(CryptoError) -> SecretBytes {
        try HKDF.expand(key, info: info(.seal, log, epoch), count: 32)
    }

    /// Sixteen bytes in a rekey that commit to K: a box that opens to another key is found out.
    static func check(_ key: Secret, log: LogID, epoch: UInt32) throws(LogError) -> [UInt8] {
        try primitives { () throws(CryptoError) in
            try HKDF.expand(key, info: info(.keyCheck, log, epoch), count: 16).withBytes { $0.copied() }
        }
    }

    private static func info(_ label: LogLabel, _ log: LogID, _ epoch: UInt32) -> [UInt8] {
        label.bytes + log.bytes + epoch.bigEndianBytes
    }
}

/// A place in the log and the hash of the entry there.
package struct LogHead: Hashable, Sendable {
    /// The number of the entry, from 1 on.
    package let place: UInt64
    /// H(L(hash) ‖ entry), 32 bytes.
    package let hash: [UInt8]

    /// A place with its hash.
    package init(place: UInt64, hash: [UInt8]) {
        self.place = place
        self.hash = hash
    }

    /// Before the first entry: place 0 and 32 zero bytes.
    package static let none = LogHead(place: 0, hash: [UInt8](repeating: 0, count: 32))

    /// The hash of an entry, whole as it is on the server.
    package static func hash(of entry: [UInt8]) -> [UInt8] { Hash.sha256(LogLabel.hash.bytes + entry) }
}
