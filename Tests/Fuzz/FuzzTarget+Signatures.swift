import SSHFormats

extension FuzzTarget {
    private static let git = Array("git".utf8)
    private static let message = Array("message".utf8)

    static func signature(_ bytes: [UInt8]) -> String? {
        guard let signature = try? FileSignature(bytes: bytes) else { return nil }
        return brokenPromise(of: signature)
    }

    static func signatureText(_ bytes: [UInt8]) -> String? {
        guard let signature = try? FileSignature(armored: bytes) else { return nil }
        return brokenPromise(of: signature)
    }

    static func allowedSigners(_ bytes: [UInt8]) -> String? {
        let signers = AllowedSigners(bytes)
        for entry in signers.entries {
            let signer = entry.signer
            guard let again = try? AllowedSigner.read(signer.line) else {
                return "a line that is printed is none"
            }
            guard again.principals == signer.principals, again.namespaces == signer.namespaces,
                again.isAuthority == signer.isAuthority, again.validAfter == signer.validAfter,
                again.validBefore == signer.validBefore, again.key.isSameKey(as: signer.key)
            else { return "another signer comes back" }
            let verdict = signers.verdict(on: signer.key, principal: git, namespace: git, at: 1_800_000_000)
            if case .allowed(let line) = verdict, !signers.entries.contains(where: { $0.line == line }) {
                return "allowed by a line that is not there"
            }
            _ = signers.principals(of: signer.key, at: 1_800_000_000)
        }
        return nil
    }

    private static func brokenPromise(of signature: FileSignature) -> String? {
        guard (try? FileSignature(bytes: signature.bytes)) == signature else {
            return "another signature comes back of the bytes"
        }
        guard (try? FileSignature(armored: signature.armored)) == signature else {
            return "another signature comes back of the text"
        }
        guard (try? signature.verify(message, namespace: git)) != nil else { return nil }
        // Of the bytes that are signed none can be another.
        guard signature.namespace == git else { return "good for another namespace" }
        guard (try? signature.verify(message + [0], namespace: git)) == nil else {
            return "good for another message"
        }
        return nil
    }
}
