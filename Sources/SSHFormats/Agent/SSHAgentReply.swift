/// A response of an agent.
public enum SSHAgentReply: Hashable, Sendable {
    /// A key in a key list.
    public struct Identity: Hashable, Sendable {
        /// The key or the certificate.
        public let blob: [UInt8]
        /// The comment of the key.
        public let comment: [UInt8]

        /// The number of bytes that the key uses in a list.
        public var size: Int { 8 + blob.count + comment.count }

        /// Creates an entry.
        public init(blob: [UInt8], comment: [UInt8]) {
            self.blob = blob
            self.comment = comment
        }

        /// Creates the entry of a key as a list shows it.
        public init(_ key: PublicKey) { self.init(blob: key.blob, comment: key.listedComment) }
    }

    /// A failure; the protocol has no reason for it.
    case failure
    /// Success.
    case success
    /// A known extension refused.
    case extensionFailure
    /// The keys, in the order in which ssh should try them.
    case identities([Identity])
    /// A signature in wire format.
    case signature([UInt8])
    /// The supported extensions.
    case extensions([String])

    /// The largest number of keys that ssh accepts in one response.
    public static let maximumIdentities = 2048

    /// Returns the whole message with its length.
    ///
    /// Keys that would make it longer than ssh reads are left out: first certificates, then the last keys.
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

    /// The number of bytes that identities may use in one response.
    public static let longestList = SSHAgentFrameReader.longest - 5

    /// Plain keys precede certificates, so that a long certificate does not displace a key.
    private static func fitting(_ all: [Identity]) -> [Identity] {
        var (room, places) = (longestList, maximumIdentities)
        var kept: Set<Int> = []
        for areCertificates in [false, true] {
            for (place, identity) in all.enumerated()
            where places > 0 && isCertificate(identity) == areCertificates && identity.size <= room {
                kept.insert(place)
                (room, places) = (room - identity.size, places - 1)
            }
        }
        return all.enumerated().filter { kept.contains($0.offset) }.map(\.element)
    }

    private static func isCertificate(_ identity: Identity) -> Bool {
        var reader = WireReader(identity.blob)
        return (try? reader.name()).map { KeyAlgorithm(name: $0).isCertificate } ?? false
    }
}
