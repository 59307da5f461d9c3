internal import SSHFormats
internal import VaultKit

/// What the refusals of SSH's things say to a person.
enum SSHTexts {
    /// What helps with a damaged file: OpenSSH's own word on it.
    private static let look = "ssh-keygen -y -f FILE"

    /// One line, and one hint.
    static func text(of error: SSHVaultError) -> (String, hint: String?) {
        switch error {
        case .format(let error): text(of: error)
        case .unknownKey: ("there is no key of that name", "hsip ssh key list")
        case .keyNameTaken: ("another key has this name", "hsip ssh key list")
        case .badKeyName:
            (
                "the name of a key has up to 100 bytes of letters, digits and . _ - @ +, and begins with none "
                    + "of . and -",
                "a name such as work or id_ed25519"
            )
        case .keyInVault: ("this key is in the vault already", "hsip ssh key list")
        case .keyInTrash: ("this key is in the trash", "hsip ssh key restore NAME")
        case .keyNotInUse: ("this key is not in use: it is retired, or kept aside", "hsip ssh key show NAME")
        case .unknownHost: ("there is no host of that name", "hsip ssh host list")
        case .hostNameTaken: ("another host has this name", "hsip ssh host list")
        case .hostInTrash: ("this host is in the trash", "hsip ssh host restore NAME")
        case .hostInVault: ("a host with this identifier is in the vault already", "hsip ssh host list")
        case .hostKeyChanged:
            ("this host is known by ANOTHER key; nothing was done", "hsip ssh host replace HOST")
        case .hostKeyRevoked:
            ("this key is REVOKED for the host; nothing was done", "hsip ssh host show HOST")
        case .trustRequired:
            (
                "nothing is known of this host, and hsip cannot ask",
                "hsip ssh host trust HOST --expect SHA256:…"
            )
        case .fingerprintDiffers:
            (
                "the key does not have the fingerprint that was expected; nothing was done",
                "hsip ssh host show HOST"
            )
        case .unknownHostKey: ("the host is not known by such a key", "hsip ssh host show HOST")
        case .readBackDiffers: ("what was read back is not what was written", "hsip vault verify")
        }
    }

    /// The same for bytes and values.
    static func text(of error: SSHFormatError) -> (String, hint: String?) {
        switch error {
        case .truncated: ("the end of the key is missing", nil)
        case .oversized(let limit): longText(limit)
        case .trailingBytes: ("something stands behind the key", look)
        case .malformed: ("this is no key that can be read", look)
        case .badNumber: ("the key holds a number that is none", look)
        case .malformedBase64: ("the base64 of the key is damaged", look)
        case .noKey: ("there is no private key in this", "hsip ssh key import ~/.ssh")
        case .typeMismatch: ("the key names two different types", look)
        case .unsupportedKeyType: ("this type of key cannot do that here", "hsip ssh key list")
        case .dsaRefused:
            ("DSA keys are not taken; OpenSSH has dropped them, too", "hsip ssh key generate NAME")
        case .rsaTooShort(let bits):
            ("an RSA key of \(bits) bits is too short to be safe", "hsip ssh key generate NAME")
        case .badKey: ("the numbers in this are no key", look)
        case .halvesDiffer: ("the private and the public half are not of one key", look)
        case .severalKeys: ("there are several keys in one file; one is taken", look)
        case .unknownCipher, .unknownKDF:
            ("the key is encrypted in a way that is not known here", "ssh-keygen -p -f FILE")
        case .tripleDESRefused: ("3des-cbc is not taken any more", "ssh-keygen -p -f FILE")
        case .tooManyRounds(let rounds, let limit):
            (
                "opening this would take \(rounds) rounds of bcrypt, and \(limit) are the most",
                "ssh-keygen -p -a 24 -f FILE"
            )
        case .passphraseNeeded: ("the key has a passphrase", "--key-passphrase-file FILE")
        case .wrongPassphrase:
            ("the passphrase of the key is wrong, or its file is damaged", "--key-passphrase-file FILE")
        case .outOfMemory: ("no locked memory left", "ulimit -l")
        case .badNamespace:
            (
                "a namespace is 1 to 255 printable characters without quotes, commas and wildcards",
                "--sign git"
            )
        case .badHostName:
            (
                "this cannot be the name of a host: letters, digits and . _ - only, or an IPv6 address",
                "hsip ssh host add NAME --address HOST --port NUMBER"
            )
        case .badPort: ("a port is 1 to 65535", "HOST:PORT, or --port NUMBER")
        case .badUser, .badLabel, .badReference, .badPath, .unknownAuthentication, .keyReferenceMissing,
            .badIdentifier, .duplicateAlias, .labelIsNoAlias:
            profileText(of: error)
        case .unknownHostKey: ("the host is not known by such a key", "hsip ssh host show HOST")
        case .revokedHostKey:
            ("this key is REVOKED for the host; nothing was done", "hsip ssh host show HOST")
        case .badHostPattern: ("these cannot be the names of a line of known_hosts", nil)
        case .badPrincipals: ("this cannot be the name of a signer", "--principal me@example.org")
        case .unsupportedVersion: ("this was made by a newer program", "update hsip")
        default: ("this is not in the form that it should have", nil)
        }
    }

    /// What is too long, by the limit that it exceeds.
    private static func longText(_ limit: Int) -> (String, hint: String?) {
        switch limit {
        case HostKeyBook.maximumEntries, HostKeyBook.maximumBytes:
            (
                "the vault keeps at most 100,000 lines of known_hosts, of 1 MiB each and 15 MiB in all",
                "hsip ssh host rm --keys HOST, or take fewer lines"
            )
        default: ("this is too long to be what it should be: the limit is \(limit)", nil)
        }
    }

    /// Of the parts of a host profile.
    private static func profileText(of error: SSHFormatError) -> (String, hint: String?) {
        switch error {
        case .badUser:
            ("this cannot be the name of a user: up to 64 letters, digits and . _ - @ +", "--user NAME")
        case .badLabel: ("a label is one line of at most 128 bytes that can be seen", "--label TEXT")
        case .badReference:
            ("the name of a key or password is one line of at most 128 bytes", "hsip ssh key list")
        case .badPath:
            (
                "a path begins with / or ~/ and has no sign that a shell would read",
                "--upload-path /tmp"
            )
        case .unknownAuthentication: ("there are two ways to log in: key and password", "--auth key|password")
        case .keyReferenceMissing:
            ("to log in by key, name the key", "--key NAME, or --auth password")
        case .badIdentifier: ("an identifier has 32 hexadecimal digits, in groups of 8, 4, 4, 4 and 12", nil)
        case .duplicateAlias: ("two hosts have the same name", "hsip ssh host list")
        case .labelIsNoAlias:
            ("this cannot be typed as a host behind ssh", "hsip ssh host set NAME --name OTHER")
        default: ("this is not in the form that it should have", nil)
        }
    }
}
