/// What an agent answers.
public enum SSHAgentReply: Hashable, Sendable {
    /// A key as it is listed.
    public struct Identity: Hashable, Sendable {
        /// The key or the certificate.
        public let blob: [UInt8]
        /// What is said about it.
        public let comment: [UInt8]

        /// An identity.
        public init(blob: [UInt8], comment: [UInt8]) {
            self.blob = blob
            self.comment = comment
        }
    }

    /// No; why, the wire does not say.
    case failure
    /// Done.
    case success
    /// An extension that is known refused.
    case extensionFailure
    /// The keys, in the order in which ssh should try them.
    case identities([Identity])
    /// A signature on the wire.
    case signature([UInt8])
    /// The extensions that are served.
    case extensions([String])

    /// Most keys that ssh takes in one answer.
    public static let maximumIdentities = 2048

    /// The whole message, its length before it.
    ///
    /// Keys that would make it longer than ssh reads are left out, the last ones first.
    public var frame: [UInt8] {
        var writer = WireWriter()
        switch self {
        case .failure: writer.byte(SSHAgentCode.failure)
        case .success: writer.byte(SSHAgentCode.success)
        case .extensionFailure: writer.byte(SSHAgentCode.extensionFailure)
        case .identities(let all):
            let shown = Self.fitting(all)
            writer.byte(SSHAgentCode.identities)
            writer.uint32(UInt32(shown.count))
            for identity in shown {
                writer.string(identity.blob)
                writer.string(identity.comment)
            }
        case .signature(let signature):
            writer.byte(SSHAgentCode.signature)
            writer.string(signature)
        case .extensions(let names):
            writer.byte(SSHAgentCode.extensionResponse)
            writer.string(SSHAgentCode.queryExtension)
            for name in names { writer.string(name) }
        }
        var frame = WireWriter()
        frame.string(writer.bytes)
        return frame.bytes
    }

    private static func fitting(_ all: [Identity]) -> ArraySlice<Identity> {
        var room = SSHAgentFrameReader.longest - 5
        let fitting = all.prefix(maximumIdentities).prefix { identity in
            room -= 8 + identity.blob.count + identity.comment.count
            return room >= 0
        }
        return fitting
    }
}
