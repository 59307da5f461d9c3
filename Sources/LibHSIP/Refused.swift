internal import AgentProtocol
internal import CHSIP
internal import Presentation
internal import VaultCrypto

/// Every error as C gets to know it: a number, and the name and sentence of the command line.
struct Refused {
    /// Its hint is the agent's advice alone, such as the rule that would allow it: the command line's name its options.
    let text: ErrorText

    init(_ error: any Error) {
        var text =
            error is CryptoError
            ? ErrorText(.outOfMemory, "hsip cannot lock enough memory") : ErrorText(error)
        text.hint = nil
        if case AgentError.refused(let refusal) = error { text.hint = refusal.hint }
        self.text = text
    }

    var status: hsip_status { hsip_status(clamping: text.exitCode) }

    /// The `error` of an answer in JSON.
    var error: JSONMember {
        Envelope.error(
            code: text.name,
            exit: status,
            message: text.message,
            hint: text.hint,
            details: text.details
        )
    }
}
