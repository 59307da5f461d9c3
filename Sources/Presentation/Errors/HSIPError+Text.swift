package import HSIP
internal import Text

extension HSIPError: Explainable {
    package var explanation: Failure { explanation(from: "contact") }

    /// Returns the text of an error in a code or message.
    ///
    /// - Parameter sender: The word for the author of the code: a contact, or a machine.
    /// - Returns: the name, one line, and one command that helps.
    package func explanation(from sender: String) -> Failure {
        Failure(words(sender), details: PeopleDetails.known(self))
    }

    private func words(_ sender: String) -> Failure.Words {
        switch self {
        case .noCode: (.noCode, "the text contains no HSIP code", "hsip help accept")
        case .truncated: (.truncated, "the end of the code is missing; copy the whole code again", nil)
        case .malformed: (.malformed, "the code is damaged or not valid; copy it again", nil)
        case .severalCodes:
            (.severalCodes, "the text contains several different codes", "give one code at a time")
        case .legacyLink:
            (.legacyLink, "this link of an old HSIP app contains no usable key", "hsip pair")
        case .machineCode(let kind):
            (
                .machineCode,
                "\(kind.hrp.uppercased()) codes are for a person's own machines, not for contacts; nothing changed",
                "hsip pair  makes your code for a contact"
            )
        case .unsupportedVersion:
            (.unsupportedVersion, "a newer program made this code or message (version)", "update hsip")
        case .unsupportedSuite:
            (.unsupportedSuite, "a newer program made this code or message (cipher suite)", "update hsip")
        case .unsupportedFlag:
            (.unsupportedFlag, "a newer program made this code or message (unknown flag)", "update hsip")
        case .singleKeyRefused:
            (.singleKeyRefused, "the code asks for one key for both directions, which hsip refuses", nil)
        case .codeFromFuture(let seconds):
            (
                .codeFromFuture,
                "the code is from the future: the \(sender)'s clock or yours is \(Durations.rough(seconds)) off",
                "date"
            )
        case .codeExpired: (.codeExpired, "the code has expired", "ask for a new code")
        case .offerExpired:
            (.offerExpired, "the answer came after its offer expired", "hsip pair  makes a new offer")
        case .offerClosed: (.offerClosed, "you already closed this offer", "hsip pair  makes a new offer")
        case .offerSpent:
            (
                .offerSpent, "the offer was already used, and its session no longer exists",
                "ask for a new offer"
            )
        case .offerAlreadyUsed(nil):
            (
                .offerAlreadyUsed, "the same person already answered this offer with another answer",
                "hsip pair  pairs again"
            )
        case .offerAlreadyUsed(.some):
            (
                .offerAlreadyUsed, "someone else already answered this offer: another person has your code",
                "hsip pair  makes a new offer; then compare with hsip verify"
            )
        case .unknownOffer:
            (
                .unknownOffer, "the code answers an offer that this vault does not have",
                "hsip pair  makes a new offer"
            )
        case .unknownContact: (.unknownContact, "the vault has no such contact", "hsip contact list")
        case .unknownSession:
            (
                .unknownSession,
                "the code ends a session that this vault does not have; first accept the contact's answer, if any",
                nil
            )
        case .noSession: (.noSession, "you have no session with this contact", "hsip pair NAME")
        case .selfPairing:
            (
                .selfPairing, "this is your own code; the other person must accept it",
                "hsip accept  accepts the other person's code"
            )
        case .identityChanged:
            (
                .identityChanged, "this contact has ANOTHER key than the trusted one; nothing changed",
                "hsip contact replace-key NAME  asks for the number the contact reads to you"
            )
        case .identityKnown:
            (.identityKnown, "this identity already belongs to another contact", "hsip contact list")
        case .identityRevoked: (.identityRevoked, "the owner of this identity ended it", nil)
        case .nameCollision: (.nameCollision, "this name belongs to another contact", "--as OTHERNAME")
        case .badSignature:
            (.badSignature, "the code was changed on the way, or the \(sender) did not send it", nil)
        case .confirmFailed:
            (.confirmFailed, "the answer was changed on the way, or the contact did not send it", nil)
        case .badKey: (.badKey, "the code contains a key that must not be used", nil)
        case .suiteDowngrade:
            (
                .suiteDowngrade,
                "the code has weaker keys (suite 01) than the contact had before; nothing changed",
                "ask for a code made without --in-person and --suite 01"
            )
        case .tooManyOffers: (.tooManyOffers, "32 offers are already open", "hsip pair --close-all")
        case .verifyMismatch:
            (
                .verifyMismatch,
                "the numbers do NOT match: someone may intercept your messages; trust is unchanged", nil
            )
        case .verifyNotForMe:
            (
                .verifyNotForMe,
                "this VERIFY is for someone else, or the contact has another key of yours; trust is unchanged",
                nil
            )
        case .rekeyRequired:
            (.rekeyRequired, "this key has reached its message limit; renew it first", "hsip pair NAME")
        case .restored:
            (.restored, "a backup was restored over this session; renew the session first", "hsip pair NAME")
        case .sessionExpired: (.sessionExpired, "the session has expired; renew it", "hsip pair NAME")
        case .lapsed:
            (.lapsed, "the session expired too long ago to be renewed; pair again", "hsip pair NAME")
        case .revoked: (.revoked, "the session was ended", "hsip pair NAME")
        case .staleCode:
            (
                .staleCode,
                "no key in this vault fits the code: the code is late, or one side restored a backup",
                "hsip pair NAME --offer"
            )
        case .attemptsExhausted:
            (
                .attemptsExhausted, "the session had too many renewal attempts; pair again",
                "hsip pair NAME --offer"
            )
        case .clockSuspect:
            (
                .clockSuspect,
                "this machine's clock is behind the last time hsip saw, or past 2106; correct it first",
                "hsip doctor --fix"
            )
        case .noMessage: (.noMessage, "the text contains no HSIP message for you", nil)
        case .unknownSender:
            (
                .unknownSender, "the message is from someone you do not know",
                "--from NAME  for keys of old apps"
            )
        case .malformedMessage:
            (.malformedMessage, "the message is damaged; copy the whole message again", nil)
        case .badPlaintext:
            (
                .badPlaintext,
                "the message cannot be sent: it is not UTF-8 text, contains U+0000, or is too long", nil
            )
        case .cannotOpen:
            (
                .cannotOpen,
                "no key of this contact opens the message: it was changed on the way, or its key is already deleted",
                nil
            )
        case .senderMismatch:
            (.senderMismatch, "the message names a sender who does not own its key", nil)
        case .reflected: (.reflected, "your own message came back as if the contact had sent it", nil)
        case .peerOverLimit: (.peerOverLimit, "the contact sent more messages than the key allows", nil)
        case .replayed: (.replayed, "the message was already read", "--reread")
        case .malformedFile: (.malformedFile, "the file is not encrypted for a contact", nil)
        case .ownFile: (.ownFile, "you encrypted this file yourself; only its recipient can open it", nil)
        case .fileCut: (.fileCut, "the end of the file is missing; get the whole file again", nil)
        case .fileChanged:
            (.fileChanged, "the file was changed, cut or damaged after encryption; get it again", nil)
        case .malformedGift:
            (.malformedGift, "the text is not a secret from a contact; get the whole text again", nil)
        case .ownGift:
            (.ownGift, "you sent this secret yourself; only its recipient can accept it", nil)
        case .keyRefused: (.keyRefused, "the key is a dummy of an old app, not a secret", nil)
        case .keyKnown: (.keyKnown, "this key was already imported", "hsip session list")
        case .exportRefused: (.exportRefused, "a paired session cannot be exported", nil)
        case .ambiguousName:
            (.ambiguousName, "two contacts have this name", "hsip contact set NAME --alias OTHER")
        case .outOfMemory: (.outOfMemory, "hsip cannot lock enough memory", "ulimit -l")
        }
    }
}
