public import VaultCrypto

extension OneTimeKey {
    /// The longest address that is read, in bytes.
    public static let longestAddress = 4_096

    /// Reads the text that a service shows when a person sets up a second factor.
    ///
    /// The text is an `otpauth://totp/…` or `otpauth://hotp/…` address, which its QR code also contains, or only the key
    /// in base32. A key of Steam is `steam://KEY`, or an address with `encoder=steam`.
    ///
    /// The parameters `secret`, `issuer`, `algorithm`, `digits`, `period`, `counter` and `encoder` of an address are used.
    /// Other parameters are ignored, and a used parameter that occurs twice is refused. Spaces and line feeds around the
    /// text are ignored.
    ///
    /// - Throws: `malformed`, `badKey`, `unsupported`, `outOfMemory`.
    public init(reading text: borrowing some ByteSource & ~Copyable) throws(OneTimeError) {
        guard text.count <= Self.longestAddress else { throw .malformed }
        let whole = text.withBytes { Self.trimmed($0) }
        guard !whole.isEmpty else { throw .malformed }
        if text.withBytes({ Self.begins($0, whole, with: Self.steamScheme) }) {
            let key = try Self.key(text, whole.lowerBound + Self.steamScheme.count..<whole.upperBound)
            guard let key = OneTimeKey(steam: key) else { throw .badKey }
            self = key
            return
        }
        guard text.withBytes({ Self.begins($0, whole, with: Self.scheme) }) else {
            guard let key = OneTimeKey(key: try Self.key(text, whole)) else { throw .badKey }
            self = key
            return
        }
        let parts = try Self.parts(of: text, whole.lowerBound + Self.scheme.count..<whole.upperBound)
        guard let place = parts.secret else { throw .badKey }
        guard let hash = OneTimeHash(rawValue: (parts.values["algorithm"] ?? "SHA1").uppercased()),
            let digits = Int(parts.values["digits"] ?? "6")
        else { throw .unsupported }
        let label = parts.label.split(separator: ":", maxSplits: 1).map(String.init)
        let issuer = parts.values["issuer"] ?? (label.count == 2 ? label[0] : "")
        let account = String((label.last ?? "").drop { $0 == " " })
        let encoder = parts.values["encoder"]?.lowercased()
        let isSteams = parts.type == "totp" && issuer.lowercased() == "steam" && digits == 5
        guard !isSteams, encoder == nil else {
            guard encoder ?? "steam" == "steam", parts.type == "totp", hash == .sha1,
                parts.values["digits"] == nil || digits == 5, parts.values["period"] ?? "30" == "30"
            else { throw .unsupported }
            guard let key = OneTimeKey(steam: try Self.key(text, place), issuer: issuer, account: account)
            else { throw .badKey }
            self = key
            return
        }
        let moving: Moving
        switch parts.type {
        case "totp":
            guard let period = Int(parts.values["period"] ?? "30") else { throw .unsupported }
            moving = .time(period: period)
        case "hotp":
            guard let counter = UInt64(parts.values["counter"] ?? "") else { throw .unsupported }
            moving = .counter(counter)
        default: throw .unsupported
        }
        let secret = try Self.key(text, place)
        guard (1...Self.longest).contains(secret.count) else { throw .badKey }
        guard
            let key = OneTimeKey(
                key: secret,
                hash: hash,
                digits: digits,
                moving: moving,
                issuer: issuer,
                account: account
            )
        else { throw .unsupported }
        self = key
    }

    /// Returns the address of a counter-based key with a counter that is one higher, as it is after one password.
    ///
    /// - Throws: the errors of reading; `unsupported` for a key with time steps; `spent` after the last counter.
    public static func raised(_ text: Secret) throws(OneTimeError) -> Secret {
        guard case .counter(let counter) = try OneTimeKey(reading: text).moving else { throw .unsupported }
        let (next, isOver) = counter.addingReportingOverflow(1)
        guard !isOver else { throw .spent }
        return try counting(text, from: next)
    }

    /// Returns the address of a counter-based key with another counter; everything else stays.
    ///
    /// - Parameters:
    ///   - text: The address.
    ///   - counter: The counter of the next password.
    /// - Returns: the address with that counter.
    /// - Throws: `malformed`, `unsupported` for an address without a counter; `outOfMemory`.
    public static func counting(_ text: Secret, from counter: UInt64) throws(OneTimeError) -> Secret {
        let whole = text.withBytes { Self.trimmed($0) }
        let parts = try Self.parts(of: text, whole.lowerBound + scheme.count..<whole.upperBound)
        guard let place = parts.counter else { throw .unsupported }
        do throws(CryptoError) {
            let (head, tail) = (
                try text.part(0..<place.lowerBound), try text.part(place.upperBound..<text.count)
            )
            return Secret(try SecretBytes.joined([head, Array(String(counter).utf8), tail]))
        } catch {
            throw .outOfMemory
        }
    }

    private static let scheme = Array("otpauth://".utf8)
    private static let steamScheme = Array("steam://".utf8)

    private static func begins(
        _ text: borrowing RawSpan,
        _ range: Range<Int>,
        with scheme: [UInt8]
    ) -> Bool {
        range.count > scheme.count
            && scheme.indices.allSatisfy { lower(text.byte(at: range.lowerBound + $0)) == scheme[$0] }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
