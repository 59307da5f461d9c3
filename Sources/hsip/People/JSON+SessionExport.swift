internal import Console
internal import HSIP
internal import VaultKit
internal import VaultLifecycle

extension JSONValue {
    /// `session export`; the key itself is in the file only.
    static func exported(_ contact: ContactSummary, file: String) throws -> JSONValue {
        [
            "contact": .text(contact.alias), "peerId": .text(contact.contact.peerID.text),
            "encoding": "base64", "outputFile": .text(try AbsolutePath.of(file)), "counterUnreliable": true,
        ]
    }
}
