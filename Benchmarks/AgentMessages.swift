internal import SSHFormats
internal import VaultCrypto

/// Messages of the ssh-agent protocol, framed, as ssh sends them (RFC 9987, OpenSSH's PROTOCOL.agent).
enum AgentMessages {
    /// The types of the answers.
    static let (success, identities, signature): (UInt8, UInt8, UInt8) = (6, 12, 14)

    /// Which keys are there.
    static let list = framed { $0.byte(11) }

    /// The public halves in an answer to `list`.
    static func keys(in answer: [UInt8]) -> [[UInt8]] {
        var (found, rest): ([[UInt8]], ArraySlice<UInt8>) = ([], answer.dropFirst(5))
        var isKey = true
        while rest.count >= 4 {
            let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            if isKey { found.append(Array(rest.dropFirst(4).prefix(size))) }
            isKey.toggle()
            rest = rest.dropFirst(4 + size)
        }
        return found
    }

    /// A session with a host, and what binds a connection to it.
    struct Session {
        private let id: [UInt8]
        private let host: PrivateKey

        init(with host: PrivateKey) {
            id = Entropy.system.bytes(32)
            self.host = host
        }

        /// The binding, signed by the host.
        func binding() throws -> [UInt8] {
            let signature = try host.sign(id).wire
            return framed { writer in
                writer.byte(27)
                writer.string("session-bind@openssh.com")
                writer.string(host.publicKey.blob)
                writer.string(id)
                writer.string(signature)
                writer.byte(0)
            }
        }

        /// The signature for a login of a user with a key.
        func login(_ key: [UInt8], user: String) -> [UInt8] {
            var data = WireWriter()
            data.string(id)
            data.byte(50)
            data.string(user)
            data.string("ssh-connection")
            data.string("publickey-hostbound-v00@openssh.com")
            data.byte(1)
            data.string("ssh-ed25519")
            data.string(key)
            data.string(host.publicKey.blob)
            return framed { writer in
                writer.byte(13)
                writer.string(key)
                writer.string(data.bytes)
                writer.uint32(0)
            }
        }
    }

    private static func framed(_ write: (inout WireWriter) -> Void) -> [UInt8] {
        var body = WireWriter()
        write(&body)
        var frame = WireWriter()
        frame.string(body.bytes)
        return frame.bytes
    }
}
