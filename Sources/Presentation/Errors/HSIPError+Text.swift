package import HSIP
internal import SafeText

extension HSIPError: Explainable {
    package var explanation: ErrorText { ErrorText(words, details: PeopleDetails.known(self)) }

    private var words: ErrorText.Words {
        switch self {
        case .noCode: (.noCode, "there is no HSIP code in this text", "hsip help accept")
        case .truncated: (.truncated, "the end of the code is missing; copy it again, whole", nil)
        case .malformed: (.malformed, "this is damaged or not valid; copy it again", nil)
        case .severalCodes:
            (.severalCodes, "there are several different codes in this text", "pass one of them alone")
        case .legacyLink:
            (
                .legacyLink, "this is a link of an old HSIP app; it carries no key that could be used",
                "hsip pair"
            )
        case .machineCode(let kind):
            (
                .machineCode,
                "this is a \(kind.hrp.uppercased()) code between one's own machines; nothing was done with it",
                "pass the code of a contact: hsip pair makes yours"
            )
        case .unsupportedVersion:
            (.unsupportedVersion, "this was made by a newer program (version)", "update hsip")
        case .unsupportedSuite:
            (.unsupportedSuite, "this was made by a newer program (cipher suite)", "update hsip")
        case .unsupportedFlag:
            (.unsupportedFlag, "this was made by a newer program (unknown flag)", "update hsip")
        case .singleKeyRefused:
            (.singleKeyRefused, "the code asks for one shared key for both directions; refused", nil)
        case .codeFromFuture(let seconds):
            (
                .codeFromFuture,
                "the code is from the future: their clock or yours is \(Durations.rough(seconds)) off", "date"
            )
        case .codeExpired: (.codeExpired, "the code has expired", "ask for a new one")
        case .offerExpired:
            (.offerExpired, "the answer comes too late for its offer", "hsip pair  makes a new offer")
        case .offerClosed: (.offerClosed, "the offer was closed here", "hsip pair  makes a new offer")
        case .offerSpent:
            (.offerSpent, "the offer was used before, and its session is gone", "ask for a new offer")
        case .offerAlreadyUsed(nil):
            (
                .offerAlreadyUsed, "the same person answered this offer before, with another answer",
                "pair again: hsip pair"
            )
        case .offerAlreadyUsed(.some):
            (
                .offerAlreadyUsed, "someone else answered this offer before: your code is in other hands",
                "hsip pair  and hsip verify"
            )
        case .unknownOffer:
            (.unknownOffer, "this answers an offer that is not here", "hsip pair  makes a new offer")
        case .unknownContact: (.unknownContact, "there is no such contact", "hsip contact list")
        case .unknownSession:
            (
                .unknownSession,
                "this ends a session that is not here; if you still have an answer of theirs, take that first",
                nil
            )
        case .noSession: (.noSession, "there is no session with this contact", "hsip pair NAME")
        case .selfPairing:
            (.selfPairing, "this is your own code; the other person takes it", "hsip accept  takes theirs")
        case .identityChanged:
            (
                .identityChanged,
                "this contact came with ANOTHER key than the one that is pinned; nothing was changed",
                "hsip contact replace-key NAME  asks for the number they read to you"
            )
        case .identityKnown: (.identityKnown, "this identity is another contact here", "hsip contact list")
        case .identityRevoked: (.identityRevoked, "the owner of this identity ended it", nil)
        case .nameCollision: (.nameCollision, "this name belongs to another contact", "--as OTHERNAME")
        case .badSignature: (.badSignature, "the code was changed on the way, or is not from them", nil)
        case .confirmFailed: (.confirmFailed, "the answer was changed on the way, or is not from them", nil)
        case .badKey: (.badKey, "the code carries a key that must not be used", nil)
        case .tooManyOffers: (.tooManyOffers, "32 offers are open already", "hsip pair --close-all")
        case .verifyMismatch:
            (.verifyMismatch, "this does NOT match: someone may be in between; trust is unchanged", nil)
        case .verifyNotForMe:
            (
                .verifyNotForMe,
                "this VERIFY is for someone else, or they know you by another key; trust is unchanged", nil
            )
        case .rekeyRequired:
            (.rekeyRequired, "every number of this key is used; renew it first", "hsip pair NAME")
        case .restored:
            (.restored, "a backup was restored over this session; renew it first", "hsip pair NAME")
        case .sessionExpired: (.sessionExpired, "the session is past its end; renew it", "hsip pair NAME")
        case .lapsed: (.lapsed, "the session ended too long ago to be renewed; pair again", "hsip pair NAME")
        case .revoked: (.revoked, "the session was ended", "hsip pair NAME")
        case .staleCode:
            (
                .staleCode, "the code fits no key here: it comes late, or a backup was restored on one side",
                "hsip pair NAME --offer"
            )
        case .attemptsExhausted:
            (.attemptsExhausted, "too many renewals were tried; pair again", "hsip pair NAME --offer")
        case .clockSuspect:
            (
                .clockSuspect,
                "this clock is behind the last time seen here, or past 2106; correct it first",
                "hsip doctor --fix"
            )
        case .noMessage: (.noMessage, "there is no HSIP message for you in this text", nil)
        case .unknownSender:
            (
                .unknownSender, "the message is from someone you do not know",
                "--from NAME  for keys of old apps"
            )
        case .malformedMessage: (.malformedMessage, "the message is damaged; copy it again, whole", nil)
        case .badPlaintext:
            (.badPlaintext, "this cannot be sent: it is not UTF-8 text, holds U+0000, or is too long", nil)
        case .cannotOpen:
            (
                .cannotOpen,
                "no key of this contact opens the message: changed on the way, or its key is already wiped",
                nil
            )
        case .senderMismatch:
            (.senderMismatch, "the message names another sender than the owner of its key", nil)
        case .reflected: (.reflected, "your own message came back as if it were theirs", nil)
        case .peerOverLimit: (.peerOverLimit, "they sent more messages than the key allows", nil)
        case .replayed: (.replayed, "the message was read before", "--reread")
        case .malformedFile: (.malformedFile, "this is not a file that was sealed for a contact", nil)
        case .ownFile: (.ownFile, "you sealed this file yourself; only the one it is for can open it", nil)
        case .fileCut: (.fileCut, "the end of the file is missing; get it again, whole", nil)
        case .fileChanged:
            (.fileChanged, "the file is not what was sealed: changed, cut or damaged; get it again", nil)
        case .malformedGift:
            (.malformedGift, "this is not a secret that was sealed for a contact; get it again, whole", nil)
        case .ownGift:
            (.ownGift, "you sealed this secret yourself; only the one it is for can take it", nil)
        case .keyRefused: (.keyRefused, "this is a dummy key of an old app, not a secret", nil)
        case .keyKnown: (.keyKnown, "this key was here before", "hsip session list")
        case .exportRefused: (.exportRefused, "a paired session is never exported", nil)
        case .ambiguousName:
            (.ambiguousName, "two contacts have this name", "hsip contact set NAME --alias OTHER")
        case .outOfMemory: (.outOfMemory, "no locked memory left", "ulimit -l")
        }
    }
}
