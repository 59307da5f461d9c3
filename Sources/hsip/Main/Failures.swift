internal import AgentProtocol
internal import Console
internal import Credentials
internal import HSIP
internal import Programs
internal import RecordStore
internal import SSHFormats
internal import SafeText
internal import TextCipher
internal import VaultKit
internal import VaultLifecycle

/// Every error as a person reads it: what happened, and one command that helps.
enum Failures {
    /// One line, one hint, one number; never a byte of the input.
    static func explain(_ error: any Error) -> Failure {
        switch error {
        case let failure as Failure: failure
        case let error as ConsoleError: explain(error)
        case let error as VaultError: explain(error)
        case let error as AgentError: AgentTexts.explain(error)
        case let error as AgentPathsError: explain(error)
        case let error as OpeningError: OpeningTexts.explain(error, Display(isUTF8: true))
        case let error as MigrationError: MoveRefusal.explain(error)
        case let error as StoreError: explain(VaultError.store(error))
        case let error as HSIPError: explain(VaultError.hsip(error))
        case let error as CredentialError: explain(VaultError.secret(error))
        case let error as TextCipherError: explain(error)
        case let error as SSHFormatError: explain(VaultError.ssh(.format(error)))
        default:
            Failure(.failure, code: "failure", message: "something unexpected went wrong; nothing was done")
        }
    }

    /// Scripts get the names of Schemas/errors.json, which are coarser than those of the toolkit.
    static func explain(_ error: ConsoleError) -> Failure {
        var failure = Failure(error)
        switch error {
        case .diskFull, .outOfMemory: break
        default:
            failure.code =
                switch error.exitCode {
                case .conflict: "alreadyExists"
                case .malformed: "malformedInput"
                case let code: code.name
                }
        }
        return failure
    }

    private static func explain(_ error: VaultError) -> Failure {
        switch error {
        case .hsip(let reason): explain(reason)
        case .store(let reason): explain(reason)
        case .ssh(let reason): explain(reason)
        case .secret(let reason): SecretTexts.explain(reason)
        case .oneTime(let reason): SecretTexts.explain(reason)
        case .audit(let reason): PolicyTexts.explain(reason)
        case .rule(let reason): PolicyTexts.explain(reason)
        case .text(let reason): TextHistoryTexts.explain(reason)
        case .noIdentity:
            Failure(
                status: error.exitCode,
                code: error.name,
                message: "this vault has no identity yet",
                hint: "hsip init"
            )
        case .identityExists:
            Failure(
                status: error.exitCode,
                code: error.name,
                message: "this vault has an identity already",
                hint: "hsip identity show"
            )
        case .notVerified:
            Failure(
                status: error.exitCode,
                code: error.name,
                message: "this contact is set to require verification and is not verified",
                hint: "hsip verify NAME"
            )
        case .unknownOperation:
            Failure(
                status: error.exitCode,
                code: error.name,
                message: "the agent is of another version than this program",
                hint: "hsip agent restart"
            )
        case .malformedCall:
            Failure(
                status: error.exitCode,
                code: error.name,
                message: "the agent and this program do not understand each other",
                hint: "hsip agent restart"
            )
        }
    }

    private static func explain(_ error: HSIPError) -> Failure {
        let (message, hint) = text(of: error)
        return Failure(
            status: error.exitCode,
            code: error.name,
            message: message,
            hint: hint,
            details: PeopleDetails.known(error)
        )
    }

    private static func explain(_ error: TextCipherError) -> Failure {
        let (message, hint): (String, String?) =
            switch error {
            case .malformed: ("this is no text that was encrypted under a key; copy it again, whole", nil)
            case .tooLong: ("this is longer than 1 MiB", "hsip encrypt NAME --file FILE")
            case .notText: ("only UTF-8 text can be encrypted so", "hsip encrypt NAME --file FILE")
            case .emptyKey: ("the key is empty", nil)
            case .cannotOpen: ("the key is another, or the text was changed", nil)
            case .outOfMemory: ("no locked memory left", "ulimit -l")
            }
        return Failure(status: error.exitCode, code: error.name, message: message, hint: hint)
    }

    private static func explain(_ error: SSHVaultError) -> Failure {
        let (message, hint) = SSHTexts.text(of: error)
        return Failure(status: error.exitCode, code: error.name, message: message, hint: hint)
    }

    private static func explain(_ error: StoreError) -> Failure {
        let (message, hint) = StoreTexts.text(of: error)
        return Failure(
            status: error.exitCode,
            code: error.name,
            message: message,
            hint: hint,
            details: StoreDetails.of(error, here: HostEnvironment.here().rawValue)
        )
    }

    private static func text(of error: HSIPError) -> (String, hint: String?) {
        switch error {
        case .noCode: ("there is no HSIP code in this text", "hsip help accept")
        case .truncated: ("the end of the code is missing; copy it again, whole", nil)
        case .malformed: ("this is damaged or not valid; copy it again", nil)
        case .severalCodes: ("there are several different codes in this text", "pass one of them alone")
        case .legacyLink:
            ("this is a link of an old HSIP app; it carries no key that could be used", "hsip pair")
        case .unsupportedVersion: ("this was made by a newer program (version)", "update hsip")
        case .unsupportedSuite: ("this was made by a newer program (cipher suite)", "update hsip")
        case .unsupportedFlag: ("this was made by a newer program (unknown flag)", "update hsip")
        case .singleKeyRefused: ("the code asks for one shared key for both directions; refused", nil)
        case .codeFromFuture(let seconds):
            ("the code is from the future: their clock or yours is \(Durations.rough(seconds)) off", "date")
        case .codeExpired: ("the code has expired", "ask for a new one")
        case .offerExpired: ("the answer comes too late for its offer", "hsip pair  makes a new offer")
        case .offerClosed: ("the offer was closed here", "hsip pair  makes a new offer")
        case .offerSpent: ("the offer was used before, and its session is gone", "ask for a new offer")
        case .offerAlreadyUsed(nil):
            ("the same person answered this offer before, with another answer", "pair again: hsip pair")
        case .offerAlreadyUsed(.some):
            (
                "someone else answered this offer before: your code is in other hands",
                "hsip pair  and hsip verify"
            )
        case .unknownOffer: ("this answers an offer that is not here", "hsip pair  makes a new offer")
        case .unknownContact: ("there is no such contact", "hsip contact list")
        case .unknownSession:
            (
                "this ends a session that is not here; if you still have an answer of theirs, take that first",
                nil
            )
        case .noSession: ("there is no session with this contact", "hsip pair NAME")
        case .selfPairing: ("this is your own code; the other person takes it", "hsip accept  takes theirs")
        case .identityChanged:
            (
                "this contact came with ANOTHER key than the one that is pinned; nothing was changed",
                "hsip contact trust-new-key NAME  asks for the number they read to you"
            )
        case .identityKnown: ("this identity is another contact here", "hsip contact list")
        case .identityRevoked: ("the owner of this identity ended it", nil)
        case .nameCollision: ("this name belongs to another contact", "--as OTHERNAME")
        case .badSignature: ("the code was changed on the way, or is not from them", nil)
        case .confirmFailed: ("the answer was changed on the way, or is not from them", nil)
        case .badKey: ("the code carries a key that must not be used", nil)
        case .tooManyOffers: ("32 offers are open already", "hsip pair --close-all")
        case .verifyMismatch:
            ("this does NOT match: someone may be in between; trust is unchanged", nil)
        case .verifyNotForMe:
            ("this VERIFY is for someone else, or they know you by another key; trust is unchanged", nil)
        case .rekeyRequired: ("every number of this key is used; renew it first", "hsip pair NAME")
        case .restored: ("a backup was restored over this session; renew it first", "hsip pair NAME")
        case .sessionExpired: ("the session is past its end; renew it", "hsip pair NAME")
        case .lapsed: ("the session ended too long ago to be renewed; pair again", "hsip pair NAME")
        case .revoked: ("the session was ended", "hsip pair NAME")
        case .staleCode: ("the code is older than what is here", "perhaps: hsip pair NAME --offer")
        case .attemptsExhausted: ("too many renewals were tried; pair again", "hsip pair NAME --offer")
        case .clockSuspect:
            (
                "this clock is behind the last time seen here, or past 2106; set it right first",
                "hsip doctor --fix"
            )
        case .noMessage: ("there is no HSIP message for you in this text", nil)
        case .unknownSender:
            ("the message is from someone you do not know", "--from NAME  for keys of old apps")
        case .malformedMessage: ("the message is damaged; copy it again, whole", nil)
        case .badPlaintext: ("this cannot be sent: it is not UTF-8 text, holds U+0000, or is too long", nil)
        case .cannotOpen:
            ("no key of this contact opens the message: changed on the way, or its key is already wiped", nil)
        case .senderMismatch: ("the message names another sender than the owner of its key", nil)
        case .reflected: ("your own message came back as if it were theirs", nil)
        case .peerOverLimit: ("they sent more messages than the key allows", nil)
        case .replayed: ("the message was read before", "--reread")
        case .malformedFile: ("this is not a file that was sealed for a contact", nil)
        case .ownFile: ("you sealed this file yourself; only the one it is for can open it", nil)
        case .fileCut: ("the end of the file is missing; get it again, whole", nil)
        case .fileChanged: ("the file is not what was sealed: changed, cut or damaged; get it again", nil)
        case .keyRefused: ("this is a dummy key of an old app, not a secret", nil)
        case .keyKnown: ("this key was here before", "hsip session list")
        case .exportRefused: ("a paired session is never exported", nil)
        case .ambiguousName: ("two contacts have this name", "hsip contact set NAME --alias OTHER")
        case .outOfMemory: ("no locked memory left", "ulimit -l")
        }
    }
}
