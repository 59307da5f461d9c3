public import VaultCrypto

/// The address of a machine and the login to it, without secrets.
///
/// Surrounding white space is removed from every text first. An invalid text then has an error of its own; no
/// default replaces it.
public struct HostProfile: Hashable, Sendable, Identifiable {
    /// How to log in; the raw values are stored and never change.
    public enum Authentication: String, CaseIterable, Hashable, Sendable {
        case password
        case key
    }

    /// Bytes in the longest label, and in the longest name of a key or password.
    public static let longestLabel = 128
    /// Bytes in the longest user name.
    public static let longestUser = 64
    /// Bytes in the longest path (PATH_MAX).
    public static let longestPath = 4096

    /// The permanent identity of the profile.
    public let id: HostID
    /// The label for people; empty without a name.
    public let label: String
    /// The machine, with its port.
    public let address: HostName
    /// The name of the user who logs in.
    public let user: String
    /// How to log in.
    public let authentication: Authentication
    /// The name of the key in the vault; always there for a login by key.
    public let keyReference: String?
    /// The name of the password in the vault; without one, it is asked for.
    public let passwordReference: String?
    /// The folder on the machine that files are copied to.
    public let uploadPath: String
    /// The name under which the machine's keys are known, where that is not its address.
    public let hostKeyAlias: HostName?

    /// A profile of texts as people give them.
    ///
    /// - Throws: `SSHFormatError.badLabel`; `badHostName`; `badPort`; `badUser`; `unknownAuthentication`;
    ///   `keyReferenceMissing`; `badReference`; `badPath`.
    public init(id: HostID, _ fields: Fields) throws(SSHFormatError) {
        self.id = id
        label = try Self.label(fields.label)
        address = try HostName(host: Self.trimmed(fields.host), port: fields.port)
        user = try Self.user(fields.user)
        guard let authentication = Authentication(rawValue: fields.authentication) else {
            throw .unknownAuthentication
        }
        self.authentication = authentication
        keyReference = try Self.reference(fields.keyReference)
        guard authentication != .key || keyReference != nil else { throw .keyReferenceMissing }
        passwordReference = try Self.reference(fields.passwordReference)
        uploadPath = try Self.path(fields.uploadPath)
        if let alias = fields.hostKeyAlias {
            hostKeyAlias = try HostName(alias: Self.trimmed(alias))
        } else {
            hostKeyAlias = nil
        }
    }

    /// The parts again; a profile made of them is the same.
    public var fields: Fields {
        Fields(
            label: label,
            host: address.name,
            port: Int(address.port),
            user: user,
            authentication: authentication.rawValue,
            keyReference: keyReference,
            passwordReference: passwordReference,
            uploadPath: uploadPath,
            hostKeyAlias: hostKeyAlias?.name
        )
    }

    /// The name under which ssh looks up the machine's keys.
    public var lookupName: HostName { hostKeyAlias ?? address }

    /// The label, or `user@host` if the label is empty.
    public var displayName: String { label.isEmpty ? "\(user)@\(address.name)" : label }

    /// The label as the word after `ssh`; nil if the label is not a valid alias.
    public var alias: String? { (try? HostName(alias: label)) == nil ? nil : label }

    /// The command that shows the keys of the machine without a login.
    public var scanCommand: String {
        let port = address.port == HostName.standardPort ? "" : "-p \(address.port) "
        return "ssh-keyscan \(port)\(address.name)"
    }
}

extension HostProfile {
    /// The unchecked parts of a profile.
    public struct Fields: Hashable, Sendable, Codable {
        /// The name for people; may be empty.
        public var label: String
        /// A host name or address.
        public var host: String
        /// The port, 1 to 65535.
        public var port: Int
        /// The name of the user who logs in.
        public var user: String
        /// A raw value of `Authentication`.
        public var authentication: String
        /// The name of a key in the vault.
        public var keyReference: String?
        /// The name of a password in the vault.
        public var passwordReference: String?
        /// The folder for uploads: an absolute path, or a path below `~/`.
        public var uploadPath: String
        /// The name under which the machine's keys are known.
        public var hostKeyAlias: String?

        /// Makes the parts; most parameters have the usual values as defaults.
        public init(
            label: String,
            host: String,
            port: Int = Int(HostName.standardPort),
            user: String,
            authentication: String,
            keyReference: String? = nil,
            passwordReference: String? = nil,
            uploadPath: String = "/tmp",
            hostKeyAlias: String? = nil
        ) {
            self.label = label
            self.host = host
            self.port = port
            self.user = user
            self.authentication = authentication
            self.keyReference = keyReference
            self.passwordReference = passwordReference
            self.uploadPath = uploadPath
            self.hostKeyAlias = hostKeyAlias
        }
    }
}

/// The permanent identity of a host profile, independent of label and address: a UUID (RFC 9562).
public struct HostID: Hashable, Sendable, CustomStringConvertible {
    /// The 16 bytes.
    public let bytes: [UInt8]

    /// A new one, of version 4.
    public init(_ entropy: Entropy) {
        var bytes = entropy.bytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        self.bytes = bytes
    }

    /// The identifier of 16 bytes; nil for any other number of them.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads the usual text: 8, 4, 4, 4 and 12 hexadecimal digits in either case, of any version.
    ///
    /// - Throws: `SSHFormatError.badIdentifier`.
    public init(_ text: String) throws(SSHFormatError) {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12],
            let bytes = Hex.decode(groups.joined().lowercased()), bytes.count == 16
        else { throw .badIdentifier }
        self.bytes = bytes
    }

    /// The usual text, in lower case.
    public var description: String {
        let digits = Hex.encode(bytes)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digit)
        }
        return text
    }
}
