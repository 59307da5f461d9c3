/// Everything that the vault keeps of one host profile (Schemas/ssh-records.md).
public struct HostRecord: Hashable, Sendable {
    /// A field of an imported profile that has no meaning here, kept to be given back.
    public struct ExtraField: Hashable, Sendable, Codable {
        /// The name of the field.
        public let name: String
        /// Its value, a text in JSON.
        public let json: String

        /// A field; whether the text is JSON is the caller's business.
        public init(name: String, json: String) {
            self.name = name
            self.json = json
        }
    }

    /// Bytes in the longest name of a profile.
    public static let longestName = 100
    /// Most fields without a meaning.
    public static let maximumExtras = 64
    /// Bytes in the names and values of all of them.
    public static let longestExtras = 64 << 10

    /// How to reach the machine.
    public var profile: HostProfile
    /// Fields without a meaning here, in their order.
    public var extras: [ExtraField]
    /// Whether it is the host that is meant when none is named; at most one is.
    public var isDefault = false
    /// When it was put into the trash, Unix seconds; nil while it is not there.
    public var removedAt: UInt64?

    /// A profile that comes into the vault.
    public init(_ profile: HostProfile, extras: [ExtraField] = []) {
        self.profile = profile
        self.extras = extras
    }

    /// Whether it is in the trash.
    public var isRemoved: Bool { removedAt != nil }

    /// The name of a profile as it is stored, in lower case: what is typed after `ssh`.
    ///
    /// 1 to 100 letters, digits, `.`, `-` and `_`, not beginning with a dash.
    ///
    /// - Throws: `SSHFormatError.badHostName`.
    public static func name(_ text: String) throws(SSHFormatError) -> String {
        guard text.utf8.count <= longestName, text.utf8.allSatisfy(HostName.isPlain) else {
            throw .badHostName
        }
        return try HostName(alias: text).name
    }
}
