internal import Console
internal import HSIP
internal import SafeText

extension Output {
    /// Says the warnings and notes of an act; the name of the contact goes into sentences and hints.
    func tell(_ notices: [Notice], about alias: String?, _ peerID: PeerID? = nil) {
        for notice in notices {
            let told = Self.words(for: notice, alias, peerID, display)
            if Self.isWarning(notice) { warn(told) } else { note(told) }
        }
    }

    /// Schemas/warnings.json says which is which: a warning asks for something, a note only tells.
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
    ) -> Warning {
        let name = alias.map { display.cell($0) } ?? "them"
        let word = alias.map { ShellWord.quoted($0) } ?? "NAME"
        let (code, members) = (notice.code, notice.members(about: alias, peerID))
        switch notice {
        case .rekeySoon(let remaining, let endsAt):
            let end = Times.relative(Int64(endsAt), now: Times.now())
            return Warning(
                code,
                "\(remaining) message\(remaining == 1 ? "" : "s") left for \(name), ends \(end)",
                hint: "hsip pair \(word)  shows the code for the next ones",
                fields: members
            )
        case .limitReached(let next?) where next.hasPrefix("HSIP:ANSWER"):
            return Warning(
                code,
                "that was the last message of this key, and nothing from \(name) has arrived:"
                    + " \(name) probably never got your ANSWER; send it again and ask \(name) to reply\n\(next)",
                hint: "hsip pair \(word)  shows it again",
                fields: members
            )
        case .limitReached(let next):
            return Warning(
                code,
                "that was the last message of this key; \(next == nil ? "renew it" : "send \(name) this code:")"
                    + (next.map { "\n\($0)" } ?? ""),
                hint: "hsip pair \(word)  shows \(next == nil ? "the code" : "it again")",
                fields: members
            )
        case .unconfirmed:
            return Warning(
                code,
                "nothing from \(name) yet; check that your answer reached them",
                hint: "hsip pair \(word)  shows it again"
            )
        case .unconfirmedLate:
            return Warning(
                code,
                "nothing from \(name) has arrived, and your answer is probably too late",
                hint: "hsip pair \(word) --offer"
            )
        case .readableAfterAccept:
            return Warning(
                code,
                "\(name) can read this after accepting your ACCEPT code",
                hint: "hsip pair \(word)  shows it"
            )
        case .suspicious:
            return Warning(
                code,
                "SUSPICIOUS: someone else answered the same offer as \(name)",
                hint: "hsip verify \(word)",
                fields: members
            )
        case .notComparedSinceRestore:
            return Warning(
                code,
                "a backup was restored, and you have not verified \(name) since: the key may have ended meanwhile",
                hint: "hsip verify \(word)",
                fields: members
            )
        case .nameLooksAlike(let other):
            return Warning(
                code,
                "the name looks like another contact's: this is \(peerID?.text ?? name), that is \(other.text)",
                fields: members
            )
        case .openOffers(let count):
            return Warning(
                code,
                "\(count) offer\(count == 1 ? " is" : "s are") still open; hsip pair --close-all  closes them",
                fields: members
            )
        case .repairedNotReverified:
            return Warning(
                code,
                "paired again, not verified again: hsip verify \(word)",
                fields: members
            )
        case .alreadyPaired, .alreadyDone: return Warning(code, "already accepted")
        case .peerCatchingUp:
            return Warning(code, "\(name) is one step behind; send them this code")
        case .ownMessage: return Warning(code, "one message is your own")
        case .carries(let kind):
            return Warning(
                code,
                "the message contains a code (\(kind.hrp.uppercased())); accept it with hsip accept",
                fields: members
            )
        case .mayHaveBeenReadBefore:
            return Warning(code, "a backup was restored: this may have been read before")
        case .counterUnreliable:
            return Warning(code, "another program may use this key, too, so the count may be wrong")
        }
    }
}
