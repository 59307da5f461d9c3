import SSHFormats
import VaultCrypto

/// What programs send to an agent, put together by hand from the documents.
enum AgentMessages {
    static let session: [UInt8] = (0..<32).map { UInt8($0) }

    static func writing(_ body: (inout WireWriter) -> Void) -> [UInt8] {
        var writer = WireWriter()
        body(&writer)
        return writer.bytes
    }

    static func framed(_ message: [UInt8]) -> [UInt8] {
        writing { $0.string(message) }
    }

    static func exposed(_ secret: borrowing some ByteSource & ~Copyable) -> [UInt8] {
        secret.withBytes { $0.copied() }
    }

    static func addition(_ key: PrivateKey, _ constraints: [UInt8] = []) throws -> [UInt8] {
        let wire = exposed(try key.wire())
        return writing { message in
            message.byte(constraints.isEmpty ? 17 : 25)
            message.raw(wire)
            message.string(key.comment)
            message.raw(constraints)
        }
    }

    static func restriction(_ ways: [[UInt8]]) -> [UInt8] {
        let list = ways.map { way in writing { $0.string(way) } }.joined()
        return writing { constraint in
            constraint.byte(255)
            constraint.string("restrict-destination-v00@openssh.com")
            constraint.string(Array(list))
        }
    }

    static func hop(_ host: String, _ keys: [PublicKey], user: String = "", isAuthority: Bool = false)
        -> [UInt8]
    {
        writing { hop in
            hop.string(user)
            hop.string(host)
            hop.string("")
            for key in keys {
                hop.string(key.blob)
                hop.byte(isAuthority ? 1 : 0)
            }
        }
    }

    static func way(from: [UInt8], to: [UInt8]) -> [UInt8] {
        writing { way in
            way.string(from)
            way.string(to)
            way.string("")
        }
    }

    static func bind(
        _ host: PrivateKey,
        _ session: [UInt8] = session,
        isForwarding: Bool = false
    ) throws -> SessionBind {
        SessionBind(
            hostKey: host.publicKey,
            sessionID: session,
            signature: try host.sign(session).wire,
            isForwarding: isForwarding
        )
    }

    static func login(
        _ key: PublicKey,
        user: String = "me",
        session: [UInt8] = session,
        algorithm: String? = nil,
        host: PublicKey? = nil
    ) -> [UInt8] {
        writing { data in
            data.string(session)
            data.byte(50)
            data.string(user)
            data.string("ssh-connection")
            data.string(host == nil ? "publickey" : "publickey-hostbound-v00@openssh.com")
            data.byte(1)
            data.string(algorithm ?? key.algorithm.name)
            data.string(key.blob)
            if let host { data.string(host.blob) }
        }
    }

    static func read(_ message: [UInt8]) throws -> SSHAgentRequest {
        var reader = try SSHAgentFrameReader()
        var rest = framed(message)
        while !rest.isEmpty {
            rest.removeFirst(feed(rest, to: &reader))
            if let frame = try reader.next() { return try SSHAgentRequest(frame) }
        }
        throw SSHFormatError.truncated
    }

    /// Lets bytes arrive, as far as there is room; how many did.
    @discardableResult
    static func feed(_ bytes: [UInt8], to reader: inout SSHAgentFrameReader) -> Int {
        unsafe reader.fill { room in
            let count = min(room.count, bytes.count)
            unsafe room.copyBytes(from: bytes.prefix(count))
            return count
        }
    }
}
