/// A reply of an agent.
public enum SSHAgentReply: Hashable, Sendable {
    /// A key in a list.
    public struct Identity: Hashable, Sendable {
        /// The key or the certificate.
        public let blob: [UInt8]
        /// The comment of the key.
        public let comment: [UInt8]

        /// Bytes of the key in a list.
        public var size: Int { 8 + blob.count + comment.count }

        /// An identity.
        public init(blob: [UInt8], comment: [UInt8]) {
            self.blob = blob
            self.comment = comment
        }

        /// A key as a list shows it.
        public init(_ key: PublicKey) { self.init(blob: key.blob, comment: key.listedComment) }
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
    /// Keys that would make it longer than ssh reads are left out, certificates first, then the last ones.
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

    /// Bytes that identities may take in one answer.
    public static let longestList = SSHAgentFrameReader.longest - 5

    /// Plain keys go before certificates: a long certificate hides no key.
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
