package import SSHFormats
package import VaultKit

extension SSHFormatError: Worded {
    /// The hint for a damaged file: OpenSSH's own message.
    private static let look = "ssh-keygen -y -f FILE"
    private static let noForm = "the input is not in the expected format"

    package var words: Failure.Words {
        switch self {
        case .truncated: (.truncated, "the end of the key is missing", nil)
        case .oversized(let limit): Self.longText(limit)
        case .trailingBytes: (.trailingBytes, "the input has extra data after the key", Self.look)
        case .malformed: (.malformed, "the input is not a readable key", Self.look)
        case .badNumber: (.badNumber, "the key contains an invalid number", Self.look)
        case .malformedBase64: (.malformedBase64, "the base64 of the key is damaged", Self.look)
        case .noKey: (.noKey, "the input contains no private key", "hsip ssh key import ~/.ssh")
        case .typeMismatch: (.typeMismatch, "the key names two different types", Self.look)
        case .unsupportedKeyType:
            (.unsupportedKeyType, "a key of this type cannot be used for this", "hsip ssh key list")
        case .dsaRefused:
            (
                .dsaRefused, "hsip does not accept DSA keys; OpenSSH has dropped them, too",
                "hsip ssh key generate NAME"
            )
        case .rsaTooShort(let bits):
            (.rsaTooShort, "an RSA key of \(bits) bits is too short to be safe", "hsip ssh key generate NAME")
        case .badKey: (.badKey, "the numbers in the input are not a valid key", Self.look)
        case .halvesDiffer:
            (.halvesDiffer, "the private and the public half belong to different keys", Self.look)
        case .severalKeys: (.severalKeys, "the file contains several keys; hsip accepts one", Self.look)
        case .unknownCipher:
            (.unknownCipher, "the key is encrypted in a way that hsip does not know", "ssh-keygen -p -f FILE")
        case .unknownKDF:
            (.unknownKDF, "the key is encrypted in a way that hsip does not know", "ssh-keygen -p -f FILE")
        case .tripleDESRefused:
            (
                .tripleDESRefused, "hsip no longer accepts keys encrypted with 3des-cbc",
                "ssh-keygen -p -f FILE"
            )
        case .tooManyRounds(let rounds, let limit):
            (
                .tooManyRounds, "opening the key needs \(rounds) rounds of bcrypt; the limit is \(limit)",
                "ssh-keygen -p -a 24 -f FILE"
            )
        case .passphraseNeeded: (.passphraseNeeded, "the key has a passphrase", "--key-passphrase-file FILE")
        case .wrongPassphrase:
            (
                .wrongPassphrase, "the passphrase of the key is wrong, or its file is damaged",
                "--key-passphrase-file FILE"
            )
        case .outOfMemory: (.outOfMemory, "hsip cannot lock enough memory", "ulimit -l")
        case .badNamespace:
            (
                .badNamespace,
                "a namespace must be 1 to 255 printable characters without quotes, commas and wildcards",
                "--sign git"
            )
        case .badHostName:
            (
                .badHostName, "a host's name must be letters, digits and . _ - only, or an IPv6 address",
                "hsip ssh host add NAME --address HOST --port NUMBER"
            )
        case .badPort: (.badPort, "a port must be a number from 1 to 65535", "HOST:PORT, or --port NUMBER")
        case .unknownHostKey:
            (.unknownHostKey, "the vault has no such key for this host", "hsip ssh host show HOST")
        case .revokedHostKey:
            (.hostKeyRevoked, "this key is REVOKED for the host; nothing changed", "hsip ssh host show HOST")
        case .badHostPattern: (.badHostPattern, "these names are not valid for a line of known_hosts", nil)
        case .badPrincipals:
            (.badPrincipals, "this name is not valid for a signer", "--principal me@example.org")
        case .badUser:
            (.badUser, "a user's name must be up to 64 letters, digits and . _ - @ +", "--user NAME")
        case .badLabel:
            (.badLabel, "a label must be one line of at most 128 bytes of visible characters", "--label TEXT")
        case .badReference:
            (
                .badReference, "the name of a key or password must be one line of at most 128 bytes",
                "hsip ssh key list"
            )
        case .badPath:
            (
                .badPath, "a path must begin with / or ~/ and contain no character that a shell interprets",
                "--upload-path /tmp"
            )
        case .unknownAuthentication:
            (.unknownAuthentication, "the way to log in must be key or password", "--auth key|password")
        case .keyReferenceMissing:
            (
                .keyReferenceMissing, "a login by key needs the name of the key",
                "--key NAME, or --auth password"
            )
        case .badIdentifier:
            (
                .badIdentifier,
                "an identifier must have 32 hexadecimal digits, in groups of 8, 4, 4, 4 and 12", nil
            )
        case .duplicateAlias: (.duplicateAlias, "two hosts have the same name", "hsip ssh host list")
        case .labelIsNoAlias:
            (
                .labelIsNoAlias, "this name cannot be typed as a host after ssh",
                "hsip ssh host set NAME --name OTHER"
            )
        case .unsupportedVersion: (.unsupportedVersion, "a newer program wrote this record", "update hsip")
        case .changedHostKey:
            (
                .hostKeyChanged, "the vault has ANOTHER key for this host; nothing changed",
                "hsip ssh host replace-key HOST"
            )
        case .sha1Refused: (.denied, Self.noForm, nil)
        case .badSignature, .wrongSignatureAlgorithm, .wrongNamespace: (.badSignature, Self.noForm, nil)
        case .badTime: (.badTime, Self.noForm, nil)
        case .noSignature, .unknownHash, .badOption, .duplicateOption, .reversedValidity:
            (.malformed, Self.noForm, nil)
        }
    }

    /// Returns the words for a text that exceeds its limit, by the limit.
    private static func longText(_ limit: Int) -> Failure.Words {
        switch limit {
        case HostKeyBook.maximumEntries, HostKeyBook.maximumBytes:
            (
                .oversized,
                "the vault can keep at most 100,000 lines of known_hosts, of 1 MiB each and 15 MiB in all",
                "hsip ssh host rm --keys HOST  makes room; or import fewer lines"
            )
        default: (.oversized, "the input is too long: the limit is \(limit)", nil)
        }
    }
}

extension SSHVaultError: Worded {
    package var words: Failure.Words {
        switch self {
        case .format(let error): error.words
        case .unknownKey: (.unknownSSHKey, "the vault has no SSH key of that name", "hsip ssh key list")
        case .keyNameTaken: (.sshKeyNameTaken, "another key has this name", "hsip ssh key list")
        case .badKeyName:
            (
                .badSSHKeyName,
                "the name of a key must have up to 100 bytes of letters, digits and . _ - @ +, and must not "
                    + "begin with . or -",
                "a name such as work or id_ed25519"
            )
        case .keyInVault: (.sshKeyKnown, "this key is in the vault already", "hsip ssh key list")
        case .keyInTrash: (.sshKeyInTrash, "this key is in the trash", "hsip ssh key restore NAME")
        case .keyNotInUse:
            (.sshKeyNotInUse, "this key is not in use: it is retired or kept apart", "hsip ssh key show NAME")
        case .keyInHardware:
            (
                .sshKeyInHardware, "this key is in a security key, and hsip cannot make another one there",
                "ssh-keygen -t ed25519-sk -f FILE, then hsip ssh key import FILE"
            )
        case .unknownHost: (.unknownSSHHost, "the vault has no host of that name", "hsip ssh host list")
        case .hostNameTaken: (.sshHostNameTaken, "another host has this name", "hsip ssh host list")
        case .hostInTrash: (.sshHostInTrash, "this host is in the trash", "hsip ssh host restore NAME")
        case .hostInVault:
            (.sshHostKnown, "a host with this identifier is in the vault already", "hsip ssh host list")
        case .hostKeyChanged: SSHFormatError.changedHostKey.words
        case .hostKeyRevoked: SSHFormatError.revokedHostKey.words
        case .trustRequired:
            (
                .trustRequired, "the vault has no key of this host, and hsip cannot ask about it here",
                "hsip ssh host trust HOST --expect SHA256:…"
            )
        case .fingerprintDiffers:
            (
                .fingerprintDiffers, "the key does not have the expected fingerprint; nothing changed",
                "hsip ssh host show HOST"
            )
        case .unknownHostKey: SSHFormatError.unknownHostKey.words
        case .readBackDiffers:
            (.copyDiffers, "the vault returned other data than hsip wrote", "hsip vault check")
        }
    }
}
