internal import HSIP
package import VaultKit

extension JSONValue {
    /// One's own identity (Schemas/cli/identity.schema.json).
    package static func identity(_ identity: IdentitySummary) -> JSONValue {
        [
            "name": .text(identity.name), "peerId": .text(identity.peerID.text),
            "peerIdBase64": .base64(identity.peerID.bytes), "publicKeyBase64": .base64(identity.publicKey),
            "sessionId": .text(identity.peerID.sessionID),
            "createdAt": .time(Int64(clamping: identity.created)),
            // The notice that ends the identity is printed without a trace in the vault.
            "revokedAt": nil,
        ]
    }
}
