internal import Presentation
internal import SSHFormats
internal import System

/// Reads keys of a host from a file: a `.pub` file, or lines of known_hosts.
enum HostKeyFile {
    /// The largest file that is read, in bytes.
    private static let limit = 1 << 20

    /// The keys of a file, each once and without its comment.
    ///
    /// The names of a known_hosts line must match the host.
    ///
    /// - Throws: `noKey` for a file without a key; the error of the first line that is not a key.
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
    /// The SHA-256 fingerprint in a text; the prefix `SHA256:` may be left out, and white space is ignored.
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

    /// The fingerprints of an option that may be repeated.
    static func read(_ texts: [String]) throws(Failure) -> [Fingerprint] {
        try texts.map { (text) throws(Failure) in try read(text) }
    }
}
