internal import Presentation
internal import SSHFormats

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
