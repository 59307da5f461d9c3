internal import VaultCrypto

extension Certificate {
    private static let plainExtensions: Set<String> = [
        "permit-X11-forwarding", "permit-agent-forwarding", "permit-port-forwarding", "permit-pty",
        "permit-user-rc", "no-touch-required",
    ]
    private static let textOptions: Set<String> = ["force-command", "source-address"]

    /// The lines that `ssh-keygen -L` prints below the file's name.
    ///
    /// `time` says a second of Unix time as text; without it, it is UTC in the form `2026-11-21T04:35:21`. The
    /// bytes are as they stand in the certificate: show them as text from a stranger.
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
