internal import VaultCrypto

extension Certificate {
    private static let plainExtensions: Set<String> = [
        "permit-X11-forwarding", "permit-agent-forwarding", "permit-port-forwarding", "permit-pty",
        "permit-user-rc", "no-touch-required",
    ]
    private static let textOptions: Set<String> = ["force-command", "source-address"]

    /// Returns the lines that `ssh-keygen -L` prints below the name of the file.
    ///
    /// `time` formats a Unix time in seconds. The default format is UTC, as in `2026-11-21T04:35:21`. The result
    /// contains the bytes of the certificate unchanged: display them as untrusted text.
    public func lines(time: (UInt64) -> String = UTCTime.text) -> [[UInt8]] {
        let name = publicKey.algorithm
        let type = kind == .user ? "user" : "host"
        let signing =
            "\(authority.algorithm.shortName) \(authority.fingerprint) (using \(signatureAlgorithm ?? ""))"
        var lines = [
            Array("Type: \(name.name) \(type) certificate".utf8),
            Array("Public key: \(name.shortName) \(publicKey.fingerprint)".utf8),
            Array("Signing CA: \(signing)".utf8),
            Array("Key ID: \"".utf8) + keyID + [0x22],
            Array("Serial: \(serial)".utf8),
            Array("Valid: \(validity(time))".utf8),
        ]
        lines += Self.section("Principals: ", principals)
        lines += Self.section("Critical Options: ", criticalOptions.map { Self.shown($0, isCritical: true) })
        lines += Self.section("Extensions: ", extensions.map { Self.shown($0, isCritical: false) })
        return lines.map { [UInt8](repeating: 0x20, count: 8) + $0 }
    }

    private func validity(_ time: (UInt64) -> String) -> String {
        switch (validAfter, validBefore) {
        case (0, .max): "forever"
        case (0, let end): "before \(time(end))"
        case (let start, .max): "after \(time(start))"
        case (let start, let end): "from \(time(start)) to \(time(end))"
        }
    }

    private static func section(_ title: String, _ lines: [[UInt8]]) -> [[UInt8]] {
        guard !lines.isEmpty else { return [Array((title + "(none)").utf8)] }
        return [Array(title.utf8)] + lines.map { [UInt8](repeating: 0x20, count: 8) + $0 }
    }

    private static func shown(_ option: CertificateOption, isCritical: Bool) -> [UInt8] {
        let name = Array(option.name.utf8)
        if isCritical ? option.name == "verify-required" : plainExtensions.contains(option.name) {
            return name
        }
        if isCritical, textOptions.contains(option.name), let text = option.text {
            return name + [0x20] + text
        }
        guard !option.data.isEmpty else { return name + Array(" UNKNOWN FLAG OPTION".utf8) }
        let hex = Hex.encode(option.data)
        return name + Array(" UNKNOWN OPTION: \(hex) (len \(option.data.count))".utf8)
    }
}

/// Formats Unix times without a calendar library.
public enum UTCTime {
    /// Returns a UTC time as `2026-11-21T04:35:21`.
    ///
    /// After the year 9999 it returns the number of seconds.
    public static func text(_ second: UInt64) -> String {
        guard second < 253_402_300_800 else { return "\(second)" }
        let (days, rest) = (Int(second / 86400), Int(second % 86400))
        // Counts days from 0000-03-01, so that a leap day is the last day of its year, and then eras of 400 years.
        let shifted = days + 719_468
        let (era, day) = (shifted / 146_097, shifted % 146_097)
        let year = (day - day / 1460 + day / 36524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
        let calendarMonth = month < 10 ? month + 3 : month - 9
        let calendarYear = year + era * 400 + (calendarMonth <= 2 ? 1 : 0)
        let date = "\(padded(calendarYear, 4))-\(padded(calendarMonth))-\(padded(dayOfMonth))"
        return "\(date)T\(padded(rest / 3600)):\(padded(rest / 60 % 60)):\(padded(rest % 60))"
    }

    private static func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }
}

/// A critical option or an extension of a certificate: a name, and data in a form that depends on the name.
public struct CertificateOption: Hashable, Sendable {
    /// The name of the option.
    public let name: String
    /// The data: usually one wire string, or empty.
    public let data: [UInt8]

    /// The data if it is exactly one string, as in `force-command` and `source-address`; otherwise nil.
    public var text: [UInt8]? {
        var reader = WireReader(data)
        guard let text = try? reader.string(), reader.isAtEnd else { return nil }
        return text
    }

    /// Reads options until their bytes end.
    ///
    /// PROTOCOL.certkeys requires unique names in lexical order. Neither OpenSSH nor this function checks that.
    static func list(_ bytes: [UInt8]) throws(SSHFormatError) -> [CertificateOption] {
        var reader = WireReader(bytes)
        var options: [CertificateOption] = []
        while !reader.isAtEnd {
            let name = try reader.name(limit: 256)
            options.append(CertificateOption(name: name, data: try reader.string()))
        }
        return options
    }
}
