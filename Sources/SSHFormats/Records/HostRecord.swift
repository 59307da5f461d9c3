/// Everything that the vault keeps of one host profile (Schemas/ssh-records.md).
public struct HostRecord: Hashable, Sendable {
    /// A field of an imported profile that has no meaning here, kept to be given back.
    public struct ExtraField: Hashable, Sendable, Codable {
        /// The name of the field.
        public let name: String
        /// The value of the field, a text in JSON.
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
    /// Whether it stays on this machine, also if the vault is shared with others.
    public var isLocal = false
    /// When it was put into the trash, Unix seconds; nil while it is not there.
    public var removedAt: UInt64?

    /// A profile that comes into the vault.
    public init(_ profile: HostProfile, extras: [ExtraField] = []) {
        self.profile = profile
        self.extras = extras
    }

    /// Whether it is in the trash.
    public var isRemoved: Bool { removedAt != nil }

    /// The stored name of a profile, in lower case, which people type after `ssh`.
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

/// The bytes of a record `ssh.host` (Schemas/ssh-records.md).
extension HostRecord {
    private static let version: UInt8 = 1
    private static let defaultFlag: UInt8 = 1
    private static let localFlag: UInt8 = 2
    private static let longestText = HostProfile.longestPath

    /// The content.
    ///
    /// - Throws: `SSHFormatError.oversized` for more fields without a meaning than are kept.
    public func content() throws(SSHFormatError) -> [UInt8] {
        try Self.check(extras)
        let fields = profile.fields
        var writer = WireWriter()
        writer.byte(Self.version)
        writer.byte((isDefault ? Self.defaultFlag : 0) | (isLocal ? Self.localFlag : 0))
        writer.uint32(UInt32(clamping: removedAt ?? 0))
        writer.raw(profile.id.bytes)
        writer.string(fields.label)
        writer.string(fields.host)
        writer.uint32(UInt32(clamping: fields.port))
        writer.string(fields.user)
        writer.string(fields.authentication)
        writer.string(fields.keyReference ?? "")
        writer.string(fields.passwordReference ?? "")
        writer.string(fields.uploadPath)
        writer.string(fields.hostKeyAlias ?? "")
        writer.uint32(UInt32(clamping: extras.count))
        for extra in extras {
            writer.string(extra.name)
            writer.string(extra.json)
        }
        return writer.bytes
    }

    /// Reads what `content` wrote, and checks every field as when it was new.
    ///
    /// - Throws: `SSHFormatError.unsupportedVersion`; `malformed`, `truncated`, `trailingBytes`, `oversized`, and
    ///   what `HostProfile` refuses.
    public init(content: [UInt8]) throws(SSHFormatError) {
        var reader = WireReader(content)
        let version = try reader.byte()
        guard version == Self.version else { throw .unsupportedVersion(UInt32(version)) }
        let flags = try reader.byte()
        guard flags & ~(Self.defaultFlag | Self.localFlag) == 0 else { throw .malformed }
        let removed = try reader.uint32()
        guard let id = HostID(bytes: try reader.take(16)) else { throw .malformed }
        var fields = HostProfile.Fields(label: "", host: "", user: "", authentication: "")
        fields.label = try Self.text(&reader)
        fields.host = try Self.text(&reader)
        fields.port = Int(try reader.uint32())
        fields.user = try Self.text(&reader)
        fields.authentication = try Self.text(&reader)
        fields.keyReference = try Self.optionalText(&reader)
        fields.passwordReference = try Self.optionalText(&reader)
        fields.uploadPath = try Self.text(&reader)
        fields.hostKeyAlias = try Self.optionalText(&reader)
        let profile = try HostProfile(id: id, fields)
        // One state has one content: nothing may have to be trimmed.
        guard profile.fields == fields else { throw .malformed }
        let count = try reader.uint32()
        guard count <= UInt32(clamping: Self.maximumExtras) else {
            throw .oversized(limit: Self.maximumExtras)
        }
        var extras: [ExtraField] = []
        for _ in 0..<count {
            let name = try Self.text(&reader)
            extras.append(ExtraField(name: name, json: try Self.text(&reader, limit: Self.longestExtras)))
        }
        try reader.finish()
        try Self.check(extras)
        self.init(profile, extras: extras)
        isDefault = flags & Self.defaultFlag != 0
        isLocal = flags & Self.localFlag != 0
        removedAt = removed == 0 ? nil : UInt64(removed)
        guard !isDefault || !isRemoved else { throw .malformed }
    }

    /// Refuses more than is kept, and a name that comes twice.
    ///
    /// - Throws: `SSHFormatError.oversized`; `malformed`.
    public static func check(_ extras: [ExtraField]) throws(SSHFormatError) {
        guard extras.count <= maximumExtras else { throw .oversized(limit: maximumExtras) }
        guard extras.allSatisfy({ $0.name.utf8.count <= longestText }),
            extras.reduce(0, { $0 + $1.name.utf8.count + $1.json.utf8.count }) <= longestExtras
        else { throw .oversized(limit: longestExtras) }
        // Names are their bytes: two that Swift compares as equal may differ.
        guard Set(extras.map { Array($0.name.utf8) }).count == extras.count else { throw .malformed }
    }

    private static func text(
        _ reader: inout WireReader,
        limit: Int = longestText
    ) throws(SSHFormatError) -> String {
        guard let text = String(validating: try reader.string(limit: limit), as: UTF8.self) else {
            throw .malformed
        }
        return text
    }

    private static func optionalText(_ reader: inout WireReader) throws(SSHFormatError) -> String? {
        let text = try text(&reader)
        return text.isEmpty ? nil : text
    }
}
