import SSHFormats
import VaultCrypto

extension FuzzTarget {
    /// Bytes of a connection: the first says in how many pieces they arrive.
    static func agentConnection(_ bytes: [UInt8]) -> String? {
        guard let step = bytes.first, var reader = try? SSHAgentFrameReader() else { return nil }
        var rest = bytes.dropFirst()
        while !rest.isEmpty {
            let piece = rest.prefix(Int(step) + 1)
            let taken = unsafe reader.fill { room in
                let count = min(room.count, piece.count)
                unsafe room.copyBytes(from: piece.prefix(count))
                return count
            }
            guard taken > 0 else { return "there is no room for what arrives" }
            rest = rest.dropFirst(taken)
            do throws(SSHFormatError) {
                while let frame = try reader.next() {
                    if let request = try? SSHAgentRequest(frame), let broken = brokenPromise(of: request) {
                        return broken
                    }
                }
            } catch {
                return nil
            }
        }
        return nil
    }

    /// Data that the key before it is asked to sign: a blob with its length, then the data.
    static func signedData(_ bytes: [UInt8]) -> String? {
        var reader = WireReader(bytes)
        guard let blob = try? reader.string(), let key = try? PublicKey(blob: blob),
            let data = try? reader.take(reader.remaining)
        else { return nil }
        switch SignedData(data, for: key) {
        case .raw: return nil
        case .login(let login):
            return login.sessionID.count > SessionBind.longestSession ? "too long a session" : nil
        case .file(let namespace): return namespace.isEmpty ? "no namespace" : nil
        case .certificate: return key.algorithm == .dsa ? "an authority that cannot sign" : nil
        }
    }

    private static func brokenPromise(of request: SSHAgentRequest) -> String? {
        switch request {
        case .add(let addition):
            if !addition.key.isUsable { return "a key that cannot sign" }
            if let certificate = addition.certificate,
                !certificate.plain.isSameKey(as: addition.key.publicKey)
            {
                return "a certificate of another key"
            }
            return addition.destinations?.isEmpty ?? false ? "conditions that let nothing through" : nil
        case .bind(let bind):
            var bindings = SessionBindings()
            let isGood = (try? bindings.add(bind)) != nil
            return isGood == bindings.hasFailed ? "a bind that is good and bad" : nil
        default: return nil
        }
    }
}
