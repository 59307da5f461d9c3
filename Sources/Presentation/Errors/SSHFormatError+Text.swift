package import SSHFormats

extension SSHFormatError: Explainable {
    package var explanation: ErrorText { ErrorText(words) }

    /// What helps with a damaged file: OpenSSH's own word on it.
    private static let look = "ssh-keygen -y -f FILE"
    private static let noForm = "this is not in the form that it should have"

    var words: ErrorText.Words {
        switch self {
        case .truncated: (.truncated, "the end of the key is missing", nil)
        case .oversized(let limit): Self.longText(limit)
        case .trailingBytes: (.trailingBytes, "something follows the key", Self.look)
        case .malformed: (.malformed, "this is no key that can be read", Self.look)
        case .badNumber: (.badNumber, "the key holds a number that is none", Self.look)
        case .malformedBase64: (.malformedBase64, "the base64 of the key is damaged", Self.look)
        case .noKey: (.noKey, "there is no private key in this", "hsip ssh key import ~/.ssh")
        case .typeMismatch: (.typeMismatch, "the key names two different types", Self.look)
        case .unsupportedKeyType:
            (.unsupportedKeyType, "this type of key cannot do that here", "hsip ssh key list")
        case .dsaRefused:
            (
                .dsaRefused, "DSA keys are not taken; OpenSSH has dropped them, too",
                "hsip ssh key generate NAME"
            )
        case .rsaTooShort(let bits):
            (.rsaTooShort, "an RSA key of \(bits) bits is too short to be safe", "hsip ssh key generate NAME")
        case .badKey: (.badKey, "the numbers in this are no key", Self.look)
        case .halvesDiffer: (.halvesDiffer, "the private and the public half are not of one key", Self.look)
        case .severalKeys: (.severalKeys, "there are several keys in one file; one is taken", Self.look)
        case .unknownCipher:
            (.unknownCipher, "the key is encrypted in a way that is not known here", "ssh-keygen -p -f FILE")
        case .unknownKDF:
            (.unknownKDF, "the key is encrypted in a way that is not known here", "ssh-keygen -p -f FILE")
        case .tripleDESRefused: (.tripleDESRefused, "3des-cbc is not taken any more", "ssh-keygen -p -f FILE")
        case .tooManyRounds(let rounds, let limit):
            (
                .tooManyRounds,
                "opening this would take \(rounds) rounds of bcrypt, and \(limit) are the most",
                "ssh-keygen -p -a 24 -f FILE"
            )
        case .passphraseNeeded: (.passphraseNeeded, "the key has a passphrase", "--key-passphrase-file FILE")
        case .wrongPassphrase:
            (
                .wrongPassphrase, "the passphrase of the key is wrong, or its file is damaged",
                "--key-passphrase-file FILE"
            )
        case .outOfMemory: (.outOfMemory, "no locked memory left", "ulimit -l")
        case .badNamespace:
            (
                .badNamespace,
                "a namespace is 1 to 255 printable characters without quotes, commas and wildcards",
                "--sign git"
            )
        case .badHostName:
            (
                .badHostName,
                "this cannot be the name of a host: letters, digits and . _ - only, or an IPv6 address",
                "hsip ssh host add NAME --address HOST --port NUMBER"
            )
        case .badPort: (.badPort, "a port is 1 to 65535", "HOST:PORT, or --port NUMBER")
        case .unknownHostKey:
            (.unknownHostKey, "the host is not known by such a key", "hsip ssh host show HOST")
        case .revokedHostKey:
            (.hostKeyRevoked, "this key is REVOKED for the host; nothing was done", "hsip ssh host show HOST")
        case .badHostPattern: (.badHostPattern, "these cannot be the names of a line of known_hosts", nil)
        case .badPrincipals:
            (.badPrincipals, "this cannot be the name of a signer", "--principal me@example.org")
        case .badUser:
            (
                .badUser, "this cannot be the name of a user: up to 64 letters, digits and . _ - @ +",
                "--user NAME"
            )
        case .badLabel:
            (.badLabel, "a label is one line of at most 128 bytes that can be seen", "--label TEXT")
        case .badReference:
            (
                .badReference, "the name of a key or password is one line of at most 128 bytes",
                "hsip ssh key list"
            )
        case .badPath:
            (
                .badPath, "a path begins with / or ~/ and has no character that a shell interprets",
                "--upload-path /tmp"
            )
        case .unknownAuthentication:
            (.unknownAuthentication, "there are two ways to log in: key and password", "--auth key|password")
        case .keyReferenceMissing:
            (
                .keyReferenceMissing, "to log in by key, name the key",
                "--key NAME, or --auth password"
            )
        case .badIdentifier:
            (.badIdentifier, "an identifier has 32 hexadecimal digits, in groups of 8, 4, 4, 4 and 12", nil)
        case .duplicateAlias: (.duplicateAlias, "two hosts have the same name", "hsip ssh host list")
        case .labelIsNoAlias:
            (
                .labelIsNoAlias, "this cannot be typed as a host after ssh",
                "hsip ssh host set NAME --name OTHER"
            )
        case .unsupportedVersion: (.unsupportedVersion, "this was made by a newer program", "update hsip")
        case .changedHostKey:
            (
                .hostKeyChanged, "this host is known by ANOTHER key; nothing was done",
                "hsip ssh host replace-key HOST"
            )
        case .sha1Refused: (.denied, Self.noForm, nil)
        case .badSignature, .wrongSignatureAlgorithm, .wrongNamespace: (.badSignature, Self.noForm, nil)
        case .badTime: (.badTime, Self.noForm, nil)
        case .noSignature, .unknownHash, .badOption, .duplicateOption, .reversedValidity:
            (.malformed, Self.noForm, nil)
        }
    }

    /// What is too long, by the limit that it exceeds.
    private static func longText(_ limit: Int) -> ErrorText.Words {
        switch limit {
        case HostKeyBook.maximumEntries, HostKeyBook.maximumBytes:
            (
                .oversized,
                "the vault keeps at most 100,000 lines of known_hosts, of 1 MiB each and 15 MiB in all",
                "hsip ssh host rm --keys HOST, or take fewer lines"
            )
        default: (.oversized, "this is too long: the limit is \(limit)", nil)
        }
    }
}
