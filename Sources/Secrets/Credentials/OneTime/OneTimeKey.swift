public import VaultCrypto

/// What makes one-time passwords: a key shared with a service, and how they are made of it (RFC 4226, RFC 6238).
public struct OneTimeKey: Sendable {
    /// The changing input of the passwords, beside the key.
    public enum Moving: Equatable, Sendable {
        /// The time, in steps of this many seconds (TOTP).
        case time(period: Int)
        /// A counter that grows with every password (HOTP).
        case counter(UInt64)
    }

    /// As many digits as services ask for.
    public static let digits = 6...8
    /// The alphabet of Steam's five characters: without vowels and without characters that look alike.
    private static let steamLetters = Array("23456789BCDFGHJKMNPQRTVWXY".utf8)
    /// The longest key, in bytes; a hash would shorten a longer one than its block.
    public static let longest = 128

    /// The shared key.
    public let key: Secret
    /// The hash; SHA-1 without another one.
    public let hash: OneTimeHash
    /// How many digits a password has.
    public let digits: Int
    /// Whether passwords are five characters as Steam writes them; those have no digits of RFC 4226.
    public let isSteam: Bool
    /// What moves.
    public let moving: Moving
    /// Who gave the key out, as the address says; empty where it does not.
    public let issuer: String
    /// Whose it is, as the address says; empty where it does not.
    public let account: String

    /// A key; nil for what no service uses.
    public init?(
        key: Secret,
        hash: OneTimeHash = .sha1,
        digits: Int = 6,
        moving: Moving = .time(period: 30),
        issuer: String = "",
        account: String = ""
    ) {
        guard (1...Self.longest).contains(key.count), Self.digits.contains(digits) else { return nil }
        if case .time(let period) = moving, !(1...86_400).contains(period) { return nil }
        self.key = key
        self.hash = hash
        self.digits = digits
        isSteam = false
        self.moving = moving
        self.issuer = issuer
        self.account = account
    }

    /// A key of Steam: five characters, every 30 seconds, by SHA-1; nil if the key is too short or too long.
    public init?(steam key: Secret, issuer: String = "", account: String = "") {
        guard (1...Self.longest).contains(key.count) else { return nil }
        self.key = key
        hash = .sha1
        digits = 5
        isSteam = true
        moving = .time(period: 30)
        self.issuer = issuer
        self.account = account
    }

    /// The password of a counter (RFC 4226 section 5.3), as text in locked memory.
    ///
    /// - Throws: `CryptoError.outOfMemory`.
    public func password(counter: UInt64) throws(CryptoError) -> SecretBytes {
        var tag = hash.tag(of: counter, key: key)
        defer { tag.wipe() }
        let start = Int(tag[tag.count - 1] & 0x0F)
        var number = tag[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        var text = try SecretBytes(count: digits)
        guard !isSteam else {
            // The last letter of a number in the base of the alphabet comes first.
            for place in 0..<digits {
                let letter = Self.steamLetters[Int(number) % Self.steamLetters.count]
                text.withMutableBytes { $0.storeBytes(of: letter, toByteOffset: place, as: UInt8.self) }
                number /= UInt32(Self.steamLetters.count)
            }
            return text
        }
        for place in (0..<digits).reversed() {
            text.withMutableBytes {
                $0.storeBytes(of: 0x30 + UInt8(number % 10), toByteOffset: place, as: UInt8.self)
            }
            number /= 10
        }
        return text
    }

    /// The password of a moment, and for how many more seconds it counts (RFC 6238 section 4.2).
    ///
    /// - Parameter seconds: Since 1970; a clock before that counts as 0.
    /// - Returns: The password, with at least one second left.
    /// - Throws: `counted` for a key with a counter; `outOfMemory`.
    public func password(at seconds: Int64) throws(OneTimeError) -> OneTimePassword {
        guard case .time(let period) = moving else { throw .counted }
        let seconds = UInt64(max(0, seconds))
        let step = UInt64(period)
        do throws(CryptoError) {
            let text = Secret(try password(counter: seconds / step))
            return OneTimePassword(digits: text, secondsLeft: Int(step - seconds % step), period: period)
        } catch {
            throw .outOfMemory
        }
    }
}

/// A password that counts for a moment.
public struct OneTimePassword: Sendable, Codable {
    /// Its digits as ASCII.
    public let digits: Secret
    /// For how many more seconds it counts, at least one.
    public let secondsLeft: Int
    /// For how many seconds one counts in all.
    public let period: Int

    /// A password.
    public init(digits: Secret, secondsLeft: Int, period: Int) {
        self.digits = digits
        self.secondsLeft = secondsLeft
        self.period = period
    }
}

/// Why a text is not a key of one-time passwords; never contains the text.
public enum OneTimeError: Error, Equatable, Sendable, Codable {
    /// Neither an `otpauth://` address nor a key in base32.
    case malformed
    /// The address has no key, or its key is not base32.
    case badKey
    /// A hash, a number of digits or a period that no such password has.
    case unsupported
    /// The key has a counter, and a password of a moment was asked for.
    case counted
    /// The key has a counter that has no next number.
    case spent
    /// No locked memory was to be had.
    case outOfMemory
}
