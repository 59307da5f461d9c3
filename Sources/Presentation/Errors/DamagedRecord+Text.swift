package import RecordStore
internal import Text

extension DamagedRecord {
    /// The record as the beginning of a sentence.
    package var words: String {
        let place = lane.map { " (lane \($0))" } ?? ""
        guard let name = self.name, let kind = self.kind else {
            return "a record with an unreadable name\(place)"
        }
        let shown = Display(isUTF8: true).cell(name)
        let what =
            switch kind {
            case "secret": "the secret \(shown)"
            case "ssh.key": "the SSH key \(shown)"
            case "ssh.host": "the host \(shown)"
            case "ssh.hostkey": "a record of known hosts"
            case "hsip.identity": "the record of your identity"
            case "hsip.contact": "the contact with the PeerID \(shown)"
            case "hsip.pairing": "a session"
            case "hsip.offer": "an offer"
            case "vault.rule": "the rule \(shown)"
            case "vault.audit": "the record of the audit log"
            default: "the record \(kind)/\(shown)"
            }
        return what + place
    }
}
