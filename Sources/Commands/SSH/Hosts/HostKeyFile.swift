internal import Presentation
internal import SSHFormats
internal import System

/// Keys of a host in a file: `.pub` files, or lines of known_hosts.
enum HostKeyFile {
    /// Larger files hold no keys of one host.
    private static let limit = 1 << 20

    /// The keys; comments are dropped, and a key that comes twice is one.
    ///
    /// Of a line of known_hosts the names must take in the host.
    ///
    /// - Throws: `noKey` for a file without any; what is wrong with the first line that is none.
    static func keys(in path: String, for host: HostName) throws -> [PublicKey] {
        let bytes = try OwnFile.read(path, limit: limit)
        var keys: [PublicKey] = []
        for line in KnownHostsFile(bytes).lines {
            switch line.content {
            case .blank, .comment: continue
            case .host(let known):
                guard known.marker == nil, known.names.matches(host) else { throw Self.foreign(host) }
                add(known.key, to: &keys)
            case .unknown: add(try PublicKey(line: line.text), to: &keys)
            }
        }
        guard !keys.isEmpty else { throw SSHFormatError.noKey }
        return keys
    }

    private static func add(_ key: PublicKey, to keys: inout [PublicKey]) {
        var key = key.plain
        key.comment = []
        if !keys.contains(where: { $0.isSameKey(as: key) }) { keys.append(key) }
    }

    private static func foreign(_ host: HostName) -> Failure {
        Failure(
            .malformedInput,
            "the file has a known_hosts line that is not for \(host.lookup)",
            hint: "hsip ssh host import FILE"
        )
    }
}

/// A fingerprint that the user was given and typed: by `--expect`, or at the terminal.
enum TypedFingerprint {
    /// The fingerprint of SHA-256 in a text; its name may be left out, and white space does not count.
    ///
    /// - Throws: `malformedInput` for anything else, MD5 included, which can be forged.
    static func read(_ text: String) throws(Failure) -> Fingerprint {
        let typed = text.filter { !$0.isWhitespace }
        let whole = typed.hasPrefix("SHA256:") ? typed : "SHA256:" + typed
        guard let fingerprint = Fingerprint(whole), fingerprint.kind == .sha256 else {
            throw Failure(
                .malformedInput,
                "a fingerprint is SHA256: and 43 characters, as ssh-keygen -l prints it",
                hint: "ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub  on the host itself"
            )
        }
        return fingerprint
    }

    /// Those of an option that may be repeated.
    static func read(_ texts: [String]) throws(Failure) -> [Fingerprint] {
        try texts.map { (text) throws(Failure) in try read(text) }
    }
}
