import SSHFormats
import VaultCrypto

extension FuzzTarget {
    private static let hosts = ["db1", "[db1]:2222", "a.example.org"].compactMap {
        try? HostName(lookup: $0)
    }
    /// A key that no seed has.
    private static let stranger = try? PrivateKey.ed25519(entropy: .seeded([9])).publicKey

    static func knownHosts(_ bytes: [UInt8]) -> String? {
        let file = KnownHostsFile(bytes)
        guard file.bytes == bytes else { return "other bytes come back" }
        for host in file.hosts {
            guard let again = KnownHostsLine(host).host else { return "a host's line is none" }
            guard again.names == host.names, again.marker == host.marker, again.key.isSameKey(as: host.key)
            else { return "another host comes back of a line" }
        }
        guard let stranger else { return nil }
        let isThere = file.hosts.contains { $0.key.isSameKey(as: stranger) }
        for name in hosts {
            if !isThere, file.check(stranger, for: name, at: 1).verdict.isTrusted {
                return "a stranger is trusted"
            }
            if let broken = brokenPromise(of: file, name, stranger) { return broken }
        }
        var hashed = file
        hashed.hash(with: .seeded([3]))
        for name in hosts {
            let (before, after) = (file.find(name), hashed.find(name))
            guard before.map(\.host.key.blob) == after.map(\.host.key.blob) else {
                return "hashing changes what is known"
            }
        }
        return nil
    }

    static func names(_ bytes: [UInt8]) -> String? {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        for line in lines {
            let text = String(decoding: line, as: UTF8.self)
            if let name = try? HostName(lookup: text) {
                guard (try? HostName(lookup: name.lookup)) == name else { return "another name comes back" }
                guard HostPattern(name).matches(name) else { return "a name does not match itself" }
            }
            if let pattern = try? HostPattern(Array(line)) {
                for name in hosts { _ = pattern.matches(name) }
            }
            if let name = KeyName.made(from: text), !KeyName.isValid(name) {
                return "a name that was made is bad"
            }
            if let id = try? HostID(text), (try? HostID(id.description)) != id {
                return "another UUID comes back"
            }
            if let time = try? SignerTime(Array(line)), time.seconds <= 0 { return "a time before 1970" }
            if let print = Fingerprint(text), Fingerprint(print.description) != print {
                return "another fingerprint comes back"
            }
        }
        return profile(lines.map { String(decoding: $0, as: UTF8.self) })
    }

    private static func profile(_ texts: [String]) -> String? {
        guard texts.count >= 6 else { return nil }
        let fields = HostProfile.Fields(
            label: texts[0],
            host: texts[1],
            port: Int(texts[2]) ?? 22,
            user: texts[3],
            authentication: "key",
            keyReference: texts[4],
            uploadPath: "/tmp",
            hostKeyAlias: texts.count > 6 ? texts[6] : nil
        )
        guard let profile = try? HostProfile(id: HostID(.seeded([1])), fields) else { return nil }
        let entry = SSHConfigFragment.Entry(profile, alias: texts[0], publicKeyFile: texts[5])
        guard let fragment = try? SSHConfigFragment([entry], places: .init(program: "/usr/bin/hsip")) else {
            return nil
        }
        // What is put in can never become a line of its own.
        let lines = fragment.text.split(separator: "\n", omittingEmptySubsequences: false)
        let known = ["Host ", "Match all", ""]
        for line in lines where !line.hasPrefix("    ") {
            guard known.contains(where: line.hasPrefix) else { return "a line of its own in ssh_config" }
        }
        guard lines.count <= 16 else { return "more lines in ssh_config than there should be" }
        let hasControls = fragment.text.utf8.contains { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F }
        return hasControls ? "a control character in ssh_config" : nil
    }

    /// A key that takes another's place is trusted for the name, and the file is still one.
    private static func brokenPromise(
        of file: KnownHostsFile,
        _ name: HostName,
        _ stranger: PublicKey
    ) -> String? {
        var replaced = file
        if let old = file.find(name).first(where: { $0.host.marker == nil })?.host.key,
            (try? replaced.replace(old.fingerprint, with: stranger, for: name)) != nil
        {
            guard replaced.check(stranger, for: name, at: 1).verdict.isTrusted else {
                return "a key that was put in is not trusted"
            }
            guard KnownHostsFile(replaced.bytes) == replaced else { return "another file comes back" }
        }
        var removed = file
        removed.remove(name)
        if removed.find(name).contains(where: { $0.host.marker == nil }) { return "a removed host is there" }
        return KnownHostsFile(removed.bytes) == removed ? nil : "another file comes back"
    }
}
