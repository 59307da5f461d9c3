public import VaultCrypto

/// A key for one-time passwords, shared with a service, with the parameters of the passwords (RFC 4226, RFC 6238).
public struct OneTimeKey: Sendable {
    /// The changing input of the passwords, beside the key.
    public enum Moving: Equatable, Sendable {
        /// The time, in steps of this many seconds (TOTP).
        case time(period: Int)
        /// A counter that grows with every password (HOTP).
        case counter(UInt64)
    }

    /// The number of digits that services use.
    public static let digits = 6...8
    /// The alphabet of Steam's five characters: without vowels and without characters that look alike.
    private static let steamLetters = Array("23456789BCDFGHJKMNPQRTVWXY".utf8)
    /// The longest key, in bytes; it is the largest block of a hash, and a hash would shorten a longer key.
    public static let longest = 128

    /// The shared key.
    public let key: Secret
    /// The hash; SHA-1 by default.
    public let hash: OneTimeHash
    /// The number of digits in a password.
    public let digits: Int
    /// Whether passwords are five characters of Steam's alphabet, instead of the digits of RFC 4226.
    public let isSteam: Bool
    /// The changing input of the passwords.
    public let moving: Moving
    /// The issuer of the key, from the address; empty if unknown.
    public let issuer: String
    /// The account at the issuer, from the address; empty if unknown.
    public let account: String

    /// Makes a key; nil for parameters that no service uses.
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

    /// Makes a key of Steam: five characters, every 30 seconds, with SHA-1; nil if the key is too short or too long.
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
            // Steam writes the lowest digit in the base of the alphabet first.
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

    /// Makes the password of a time, and the seconds for which it is valid (RFC 6238 section 4.2).
    ///
    /// - Parameter seconds: Unix seconds; a negative number counts as 0.
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

/// A one-time password that is valid for some seconds.
public struct OneTimePassword: Sendable, Codable {
    /// The digits as ASCII.
    public let digits: Secret
    /// The seconds for which the password is still valid, at least one.
    public let secondsLeft: Int
    /// The seconds for which a password is valid in total.
    public let period: Int

    /// Makes a password.
    public init(digits: Secret, secondsLeft: Int, period: Int) {
        self.digits = digits
        self.secondsLeft = secondsLeft
        self.period = period
    }
}

/// The reason why a text is not a key of one-time passwords; it never contains the text.
public enum OneTimeError: Error, Equatable, Sendable, Codable {
    /// The text is neither an `otpauth://` address nor a key in base32.
    case malformed
    /// The address has no key, or its key is not base32.
    case badKey
    /// The hash, the number of digits or the period is not supported.
    case unsupported
    /// The key has a counter, so it has no password of a time.
    case counted
    /// The counter of the key has reached its end.
    case spent
    /// No locked memory was available.
    case outOfMemory
}
