internal import Console
internal import HSIP

extension Output {
    /// Says the warnings and notes of an act; `alias` goes into the hints.
    func tell(_ notices: [Notice], about alias: String?) {
        for notice in notices { tell(notice, about: alias ?? "NAME") }
    }

    private func tell(_ notice: Notice, about name: String) {
        switch notice {
        case .rekeySoon(let remaining, let endsAt):
            warn(
                Warning(
                    "rekeySoon",
                    "\(remaining) messages left for \(name) (ends \(Times.relative(Int64(endsAt), now: Times.now())))",
                    hint: "hsip pair \(name)  shows the code for the next ones",
                    fields: [JSONMember("remaining", .integer(Int64(remaining)))]))
        case .limitReached(let code):
            warn(
                Warning(
                    "limitReached", "that was the last message of this key; send \(name) this code:\n\(code ?? "")",
                    hint: "hsip pair \(name)  shows it again", fields: [JSONMember("code", .optional(code))]))
        case .unconfirmed:
            warn(
                Warning(
                    "unconfirmed", "nothing of \(name) has arrived yet; they can read this once they have your answer",
                    hint: "hsip pair \(name)  shows the answer again"))
        case .unconfirmedLate:
            warn(
                Warning(
                    "unconfirmedLate", "nothing of \(name) has arrived, and your answer is probably too late",
                    hint: "hsip pair \(name) --offer"))
        case .readableAfterAccept:
            warn(Warning("readableAfterAccept", "readable after \(name) has taken your ACCEPT code",
                         hint: "hsip pair \(name)  shows it"))
        case .suspicious:
            warn(
                Warning("suspicious", "SUSPICIOUS: somebody else answered the same offer as \(name)",
                        hint: "hsip verify \(name)"))
        case .nameLooksAlike(let peer):
            warn(
                Warning(
                    "nameLooksAlike", "the name looks like another contact's (\(peer.text))",
                    fields: [JSONMember("peerId", .text(peer.text))]))
        case .openOffers(let count):
            warn(
                Warning(
                    "openOffers", "\(count) offers are still open", hint: "hsip pair --close-all",
                    fields: [JSONMember("count", .integer(Int64(count)))]))
        case .repairedNotReverified:
            warn(
                Warning("repairedNotReverified", "paired again with \(name), not verified again yet",
                        hint: "hsip verify \(name)"))
        case .alreadyPaired: warn(Warning("alreadyPaired", "taken before; nothing to do"))
        case .alreadyDone: warn(Warning("alreadyDone", "taken before; nothing to do"))
        case .peerCatchingUp: warn(Warning("peerCatchingUp", "\(name) is one step behind; send them this code"))
        case .ownMessage: warn(Warning("ownMessage", "one message is your own"))
        case .carries(let kind):
            warn(
                Warning(
                    "carries", "the message carries a code (\(kind.hrp)); hsip accept takes it",
                    fields: [JSONMember("kind", .text("\(kind)"))]))
        case .mayHaveBeenReadBefore:
            warn(Warning("mayHaveBeenReadBefore", "a backup was restored: this may have been read before"))
        case .counterUnreliable:
            warn(Warning("counterUnreliable", "another program may count under this key, too"))
        }
    }
}
