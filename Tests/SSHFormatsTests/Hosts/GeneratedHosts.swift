import SSHFormats
import Support
import VaultCrypto

/// Generated known_hosts files out of a few names and keys, so that they often meet.
struct GeneratedHosts {
    static let names = [
        "db1", "db2", "db1.example.org", "[db1]:2222", "[db1.example.org]:2222", "10.0.0.1", "::1",
        "[::1]:2222",
        "fe80::1%eth0", "xdb1",
    ]
    private static let patterns = [
        "*", "db?", "*.example.org", "!db1", "!*.example.org", "DB1", "[*]:2222", "d*1", "*1*", "!", "", "?",
        "[db1]:*", "**", "10.*", "db1.", "!!db1",
    ]
    private static let strange = [
        "", " ", "# a comment", "\t# another", "db1", "db1 ", "db1 ssh-ed25519", "db1 ssh-ed25519 #",
        "db1 ssh-ed25519 AAAA", "@revoked db1", "@unknown db1 ssh-ed25519 AAAA", "@ db1 x y",
        "|1|x|y ssh-rsa AAAA",
        "db1 1024 35 1234567", "@cert-authority", "db1 # ssh-rsa", "\u{FEFF}db1 x",
    ]

    /// The lines, without line breaks.
    var lines: [[UInt8]]
    var lineBreak: [UInt8]
    var endsWithLineBreak: Bool

    init(_ generator: inout SeededGenerator, keys: HostKeys, entropy: Entropy) throws {
        lines = []
        for _ in 0..<generator.number(in: 0...8) {
            lines.append(try Self.line(&generator, keys, entropy))
        }
        lineBreak = generator.oneIn(5) ? [0x0D, 0x0A] : [0x0A]
        endsWithLineBreak = !generator.oneIn(4)
    }

    var bytes: [UInt8] {
        Array(lines.joined(separator: lineBreak)) + (endsWithLineBreak && !lines.isEmpty ? lineBreak : [])
    }

    var smaller: [GeneratedHosts] {
        lines.indices.map { index in
            var fewer = self
            fewer.lines.remove(at: index)
            return fewer
        }
    }

    /// A name to look up.
    static func name(_ generator: inout SeededGenerator) throws -> HostName {
        try HostName(lookup: generator.pick(names) ?? "db1")
    }

    private static func line(
        _ generator: inout SeededGenerator,
        _ keys: HostKeys,
        _ entropy: Entropy
    ) throws -> [UInt8] {
        if generator.oneIn(6) { return (generator.pick(strange) ?? "").bytes }
        let marker = generator.oneIn(4) ? generator.pick(["@revoked", "@cert-authority"]) : nil
        let key = keys[generator.number(in: 0...4)]
        let blank = generator.pick([" ", " ", "\t", "  \t "]) ?? " "
        let comment = generator.pick(["", "", " who", "\tw h o ", " # x", " \u{E9}"]) ?? ""
        var text = generator.oneIn(6) ? blank.bytes : []
        if let marker { text += marker.bytes + (generator.oneIn(4) ? blank.bytes : [0x20]) }
        text += try hosts(&generator, entropy) + blank.bytes + key.algorithm.name.bytes + blank.bytes
        text += StrictBase64.encodedBytes(key.blob) + comment.bytes
        if generator.oneIn(8) { text += [0x20, 0xFF, 0xC3] }
        return text
    }

    private static func hosts(_ generator: inout SeededGenerator, _ entropy: Entropy) throws -> [UInt8] {
        if generator.oneIn(3) {
            let name = try HostName(lookup: generator.pick(names) ?? "db1")
            let hashed = try HostPattern(hashing: name, salt: entropy.bytes(20)).text
            return generator.oneIn(8) ? Array(hashed.dropLast(3)) : hashed
        }
        let count = generator.number(in: 1...3)
        let all = names + names + patterns
        let list = (0..<count).map { _ in generator.pick(all) ?? "" }.joined(separator: ",")
        return list.isEmpty ? [0x2A] : list.bytes
    }
}
