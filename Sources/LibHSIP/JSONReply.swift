internal import CHSIP
internal import Presentation
internal import VaultCrypto

/// Answers a call in the JSON of the command line, done or refused.
enum JSONReply {
    /// Does the work and hands over its envelope.
    static func give(
        _ command: String,
        to target: UnsafeMutablePointer<hsip_bytes>?,
        _ body: () throws -> CallAnswer
    ) -> hsip_status {
        let envelope: JSONValue
        var status = hsip_status(HSIP_OK)
        do {
            let answer = try body()
            envelope = Envelope.done(command, answer.data, warnings: answer.warnings)
            LastError.clear()
        } catch {
            let refused = Refused(error)
            status = refused.status
            LastError.keep(refused)
            envelope = Envelope.of(command, isOK: false, refused.error, warnings: [])
        }
        do {
            try unsafe OutputBytes.give(try JSONWriter.bytes(envelope), to: target)
        } catch {
            // What was done is done, and is told; only its text is missing.
            if status == HSIP_OK { status = hsip_status(HSIP_UNAVAILABLE) }
        }
        return status
    }
}
