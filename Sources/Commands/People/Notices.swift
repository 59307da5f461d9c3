internal import HSIP
internal import Presentation
internal import Text

extension Output {
    /// Prints the warnings and notes of an operation; sentences and hints name the contact.
    func tell(_ notices: [Notice], about alias: String?, _ peerID: PeerID? = nil) {
        for notice in notices {
            var (message, hint) = Self.words(for: notice, alias, peerID, display)
            // Before the contact has written, there is nothing to renew.
            if notice == .notPostQuantum, notices.contains(.unconfirmed) { hint = nil }
            let members = notice.members(about: alias, peerID)
            let told = Warning(notice.code, message, hint: hint, fields: members)
            if Self.isWarning(notice) { warn(told) } else { note(told) }
        }
    }

    /// True for a warning, which asks for an action; a note only informs (Schemas/warnings.json).
    private static func isWarning(_ notice: Notice) -> Bool {
        switch notice {
        case .openOffers, .repairedNotReverified: false
        default: notice.isWarning
        }
    }

    private static func words(
        for notice: Notice,
        _ alias: String?,
        _ peerID: PeerID?,
        _ display: Display
    ) -> (message: String, hint: String?) {
        let name = alias.map { display.cell($0) } ?? "them"
        let word = alias.map { ShellWord.quoted($0) } ?? "NAME"
        return switch notice {
        case .rekeySoon(let remaining, let endsAt):
            (
                "\(remaining) message\(remaining == 1 ? "" : "s") left for \(name), ends "
                    + Times.relative(Int64(endsAt), now: Times.now()),
                "hsip pair \(word)  shows the code for the next ones"
            )
        case .limitReached(let next?) where next.hasPrefix("HSIP:ANSWER"):
            (
                "that was the last message of this key, and nothing from \(name) has arrived:"
                    + " \(name) probably never got your ANSWER; send it again and ask \(name) to reply\n\(next)",
                "hsip pair \(word)  shows it again"
            )
        case .limitReached(let next):
            (
                "that was the last message of this key; \(next == nil ? "renew it" : "send \(name) this code:")"
                    + (next.map { "\n\($0)" } ?? ""),
                "hsip pair \(word)  shows \(next == nil ? "the code" : "it again")"
            )
        case .unconfirmed:
            (
                "nothing from \(name) yet; check that your answer reached them",
                "hsip pair \(word)  shows it again"
            )
        case .unconfirmedLate:
            (
                "nothing from \(name) has arrived, and your answer is probably too late",
                "hsip pair \(word) --offer"
            )
        case .readableAfterAccept:
            ("\(name) can read this after accepting your ACCEPT code", "hsip pair \(word)  shows it")
        case .suspicious:
            ("SUSPICIOUS: someone else answered the same offer as \(name)", "hsip verify \(word)")
        case .notComparedSinceRestore:
            (
                "a backup was restored, and you have not verified \(name) since: the key may have ended meanwhile",
                "hsip verify \(word)"
            )
        case .nameLooksAlike(let other):
            (
                "the name looks like another contact's: this is \(peerID?.text ?? name), that is \(other.text)",
                nil
            )
        case .openOffers(let count):
            (
                "\(count) offer\(count == 1 ? " is" : "s are") still open; hsip pair --close-all  closes them",
                nil
            )
        case .notPostQuantum:
            (
                "a quantum computer could read these messages one day; new keys change that",
                "hsip session rotate \(word)"
            )
        case .perhapsOldProgram:
            (
                "\(name) may have an older program, which cannot read this code",
                "hsip contact set \(word) --suite 01"
            )
        case .repairedNotReverified: ("paired again, not verified again: hsip verify \(word)", nil)
        case .alreadyPaired, .alreadyDone: ("already accepted", nil)
        case .peerCatchingUp: ("\(name) is one step behind; send them this code", nil)
        case .ownMessage: ("one message is your own", nil)
        case .carries(let kind):
            ("the message contains a code (\(kind.hrp.uppercased())); accept it with hsip accept", nil)
        case .mayHaveBeenReadBefore: ("a backup was restored: this may have been read before", nil)
        case .counterUnreliable: ("another program may use this key, too, so the count may be wrong", nil)
        }
    }
}
