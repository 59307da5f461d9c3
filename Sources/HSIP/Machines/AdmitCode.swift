public import VaultCrypto

/// ADMIT: "this machine shares my vault; here is the key of the log, and the head that you must find".
///
/// The code has 216 bytes and the sealed part.
///
/// Reading checks the form only. `open` checks that the code answers the machine's own JOIN, the signature,
/// and the sealed part. Only the number that a person types shows whose signature it is.
public struct AdmitCode: Hashable, Sendable {
    /// The length without the sealed part.
    static let fixedCount = 216
    /// The offset of the sealed part, after its length of two bytes.
    static let sealedOffset = 152
    /// The longest address, in bytes.
    public static let longestAddress = 256
    /// Epoch, K, role, carrier, the length of the address and the tag, and an address.
    static let sealedSizes = 56...56 + longestAddress

    private let header: MachineHeader
    /// The reference of the answered JOIN, 16 bytes.
    public let reference: [UInt8]
    /// The id of the log, 16 bytes.
    public let logID: [UInt8]
    /// The Ed25519 public key of the machine that admits, 32 bytes.
    public let keeperKey: [UInt8]
    /// The one-time X25519 public key, 32 bytes.
    public let ephemeralKey: [UInt8]
    /// The position of the head that the machine must find.
    public let place: UInt64
    /// The hash of the entry at that position, 32 bytes.
    public let headHash: [UInt8]
    /// The sealed part for the joining machine, with its tag.
    public let sealed: [UInt8]
    /// Ed25519 over the label, the JOIN's hash and everything before it, 64 bytes.
    public let signature: [UInt8]
    /// The exact encoding.
    public let bytes: [UInt8]

    /// The content of the sealed part.
    public struct Content: Sendable {
        /// The epoch of K, from 1.
        public let epoch: UInt32
        /// The key of that epoch, 32 bytes.
        public let key: Secret
        /// The role of the machine: 1 keeper, 2 writer, 3 reader.
        public let role: UInt8
        /// The carrier of the log: 0 not given, 1 git, 2 etcd, 3 folder.
        public let carrier: UInt8
        /// The address of the carrier, of at most 256 bytes; empty if `carrier` is 0.
        ///
        /// The carriers check the form of the address before they use it.
        public let address: String

        /// - Throws: `malformed` for a number out of range, or a key of another size than 32.
        public init(
            epoch: UInt32,
            key: Secret,
            role: UInt8,
            carrier: UInt8,
            address: String
        ) throws(HSIPError) {
            guard epoch > 0, key.count == 32, (1...3).contains(role), carrier <= 3,
                address.utf8.count <= AdmitCode.longestAddress, (carrier == 0) == address.isEmpty,
                PeerName.isClean(address)
            else { throw .malformed }
            (self.epoch, self.key, self.role) = (epoch, key, role)
            (self.carrier, self.address) = (carrier, address)
        }
    }

    /// The head that the joining machine must find.
    public struct Head: Sendable {
        /// The id of the log, 16 bytes.
        public let logID: [UInt8]
        /// The position of the entry.
        public let place: UInt64
        /// The hash of that entry, 32 bytes.
        public let hash: [UInt8]

        /// A head by its values.
        public init(logID: [UInt8], place: UInt64, hash: [UInt8]) {
            (self.logID, self.place, self.hash) = (logID, place, hash)
        }
    }

    /// Reads an ADMIT from its exact bytes.
    ///
    /// - Throws: `unsupportedVersion`, `unsupportedSuite`, `unsupportedFlag`; `malformed` for any other kind, length or
    ///   number out of range; `badKey` for a one-time key of low order.
    public init(bytes: [UInt8]) throws(HSIPError) {
        var reader = CodeReader(bytes)
        header = try MachineHeader(&reader, kind: .admit)
        reference = try reader.take(16)
        logID = try reader.take(16)
        keeperKey = try reader.take(32)
        ephemeralKey = try reader.take(32)
        place = UInt64(try reader.u32()) << 32 | UInt64(try reader.u32())
        headHash = try reader.take(32)
        let size = Int(try reader.u16())
        guard MachineCode.places.contains(place), Self.sealedSizes.contains(size) else { throw .malformed }
        sealed = try reader.take(size)
        signature = try reader.take(64)
        try reader.finish()
        guard !KeyAgreement.isLowOrder(ephemeralKey) else { throw .badKey }
        self.bytes = bytes
    }

    /// Makes the answer to a JOIN whose signature, time and number are already checked.
    ///
    /// - Parameters:
    ///   - join: The code to answer.
    ///   - content: The content of the sealed part.
    ///   - head: The newest entry, which follows the entry for the new machine.
    ///   - issued: Unix seconds.
    ///   - ttlMinutes: 1...1440.
    ///   - ephemeral: A fresh X25519 secret of 32 bytes, for this code alone.
    ///   - seed: The signing seed of the admitting machine.
    /// - Throws: `malformed` for a value out of range; `badKey`; `outOfMemory`.
    public init(
        for join: JoinCode,
        _ content: Content,
        head: Head,
        issued: UInt64,
        ttlMinutes: UInt16 = JoinCode.usualTTL,
        ephemeral: borrowing some ByteSource & ~Copyable,
        seed: borrowing some ByteSource & ~Copyable
    ) throws(HSIPError) {
        let header = try MachineHeader(kind: .admit, issued: issued, ttlMinutes: ttlMinutes)
        let address = Array(content.address.utf8)
        let size = Self.sealedSizes.lowerBound + address.count
        let bytes: [UInt8]
        do {
            var open = header.bytes + join.reference + head.logID
            open += try Signing.publicKey(seed: seed)
            open += try KeyAgreement.publicKey(of: ephemeral)
            open += head.place.bigEndianBytes + head.hash + UInt16(size).bigEndianBytes
            let plain = try SecretBytes.joined([
                content.epoch.bigEndianBytes, content.key,
                [content.role, content.carrier] + UInt16(address.count).bigEndianBytes + address,
            ])
            let key = try Self.key(ephemeral, with: join.boxKey, join.hash, open)
            let box = try XChaCha20Poly1305.seal(
                plain,
                key: key,
                nonce: Self.nonce,
                authenticating: MachineCode.label("admit")
            )
            let unsigned = open + box.ciphertext + box.tag
            bytes = unsigned + (try Signing.sign(Self.signed(unsigned, join.hash), seed: seed))
        } catch {
            throw HSIPError(error)
        }
        try self.init(bytes: bytes)
    }

    /// Opens the answer to the machine's own JOIN.
    ///
    /// - Parameters:
    ///   - join: The code that this machine showed.
    ///   - boxSecret: The secret of its box key.
    /// - Returns: The content of the sealed part.
    /// - Throws: `unknownOffer` if the code answers another JOIN; `badSignature`; `cannotOpen` if the code is
    ///   sealed to another key or was changed; `badKey`; `malformed`; `outOfMemory`.
    public func open(
        as join: JoinCode,
        boxSecret: borrowing some ByteSource & ~Copyable
    ) throws(HSIPError) -> Content {
        guard ConstantTime.equal(reference, join.reference) else { throw .unknownOffer }
        guard
            Signing.isValid(
                signature,
                message: Self.signed(Array(bytes.dropLast(64)), join.hash),
                publicKey: keeperKey
            )
        else { throw .badSignature }
        let plain: Secret
        do {
            let clear = Array(bytes.prefix(Self.sealedOffset))
            let key = try Self.key(boxSecret, with: ephemeralKey, join.hash, clear)
            plain = Secret(
                try XChaCha20Poly1305.open(
                    Array(sealed.dropLast(XChaCha20Poly1305.tagSize)),
                    tag: Array(sealed.suffix(XChaCha20Poly1305.tagSize)),
                    key: key,
                    nonce: Self.nonce,
                    authenticating: MachineCode.label("admit")
                )
            )
        } catch .authenticationFailed {
            throw .cannotOpen
        } catch {
            throw HSIPError(error)
        }
        return try Self.content(plain)
    }

    private static func content(_ plain: Secret) throws(HSIPError) -> Content {
        let (epoch, rest) = plain.withBytes { span in
            (span.extracting(0..<4).copied(), span.extracting(36..<span.byteCount).copied())
        }
        var reader = CodeReader(rest)
        let (role, carrier) = (try reader.u8(), try reader.u8())
        let address = try reader.take(Int(try reader.u16()))
        try reader.finish()
        guard let text = String(validating: address, as: UTF8.self) else { throw .malformed }
        let key: Secret
        do { key = try plain.part(4..<36) } catch { throw HSIPError(error) }
        return try Content(
            epoch: epoch.reduce(0) { $0 << 8 | UInt32($1) },
            key: key,
            role: role,
            carrier: carrier,
            address: text
        )
    }

    /// When the code was made, Unix seconds by its author's clock.
    public var issued: UInt64 { header.issued }
    /// The last second of the code's validity by the author's clock, without tolerance.
    public var expiry: UInt64 { header.expiry }

    /// Throws `codeFromFuture` or `codeExpired` by the rule of the codes between people.
    public func checkTime(wallClock: UInt64, effectiveNow: UInt64) throws(HSIPError) {
        try header.checkTime(wallClock: wallClock, effectiveNow: effectiveNow)
    }

    /// The number that a person types into the joining machine; computing it needs a tenth of a second.
    ///
    /// The number depends on the JOIN, too: with another JOIN the same ADMIT has another number.
    public func number(for join: JoinCode) throws(HSIPError) -> MachineNumber {
        try MachineNumber(of: MachineCode.label("admit-number") + join.hash + bytes)
    }

    /// The code as text: upper case, every character in QR alphanumeric mode.
    public var text: String { MachineCode.admit(self).text }

    /// One key seals one text, so the nonce may be zero.
    private static let nonce = [UInt8](repeating: 0, count: XChaCha20Poly1305.nonceSize)

    private static func signed(_ unsigned: [UInt8], _ joinHash: [UInt8]) -> [UInt8] {
        MachineCode.label("sig-admit") + joinHash + unsigned
    }

    private static func key(
        _ secret: borrowing some ByteSource & ~Copyable,
        with publicKey: [UInt8],
        _ joinHash: [UInt8],
        _ open: [UInt8]
    ) throws(CryptoError) -> SecretBytes {
        let salt = Hash.sha256(MachineCode.label("admit") + joinHash + open)
        let shared = try KeyAgreement.sharedSecret(secret, with: publicKey)
        let key = try HKDF.extract(salt: salt, keyMaterial: shared)
        return try HKDF.expand(key, info: MachineCode.label("admit-key"), count: 32)
    }
}
