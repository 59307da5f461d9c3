internal import AgentProtocol
internal import CHSIP
internal import Credentials
internal import HSIP
internal import Presentation
internal import Programs
internal import RecordStore
internal import VaultCrypto
internal import VaultKit
internal import VaultLifecycle

/// Every error as a number and a name: the one place where they become what C knows.
struct Refused {
    let status: hsip_status
    let name: String
    /// The agent's advice: one command, such as the rule that would allow it.
    private(set) var hint: String?
    /// What the schema of the envelope has for this name.
    private var details = JSONValue.null

    init(_ error: any Error) {
        self.init(naming: error)
        details = Self.details(of: error)
        if case AgentError.refused(let refusal) = (error as? Explained)?.error ?? error {
            hint = refusal.hint
        }
    }

    /// What a program can act on at once, as the command line's JSON has it; the sentences for people are the command
    /// line's alone.
    private static func details(of error: any Error) -> JSONValue {
        switch error {
        case let explained as Explained: explained.details
        case VaultError.hsip(let reason): PeopleDetails.known(reason)
        case let reason as HSIPError: PeopleDetails.known(reason)
        case VaultError.store(let reason): details(of: reason)
        case let reason as StoreError: StoreDetails.of(reason, here: HostEnvironment.here().rawValue)
        case let several as SeveralCodes:
            [
                "codes": .list(
                    several.codes.map { ["kind": .text($0.kind.hrp), "code": .text($0.text)] }
                )
            ]
        default: .null
        }
    }

    private init(naming error: any Error) {
        switch error {
        case let error as LibraryError: self.init(error.status, error.name)
        case let explained as Explained: self.init(naming: explained.error)
        // Not an error of the protocol: a demand of this vault's owner.
        case VaultError.notVerified: self.init(HSIP_DENIED, "denied")
        case let error as VaultError: self.init(Int(error.exitCode), error.name)
        case let error as AgentError: self.init(Int(error.exitCode), error.name)
        case let error as StoreError: self.init(Int(error.exitCode), error.name)
        case let error as HSIPError: self.init(Int(error.exitCode), error.name)
        case let error as OpeningError: self.init(Int(error.exitCode), error.name)
        case let error as ProgramError: self.init(naming: OpeningError.file(error))
        case let error as CredentialError: self.init(Int(error.exitCode), error.name)
        case is SeveralCodes: self.init(HSIP_INPUT_NEEDED, "severalCodes")
        case is CryptoError: self.init(HSIP_UNAVAILABLE, "outOfMemory")
        case is AgentPathsError: self.init(HSIP_UNAVAILABLE, "unavailable")
        default: self.init(HSIP_FAILURE, "failure")
        }
    }

    /// The `error` of an answer in JSON: the name says what it was, the sentence only what the number means.
    var error: JSONMember {
        Envelope.error(
            code: name,
            exit: status,
            message: "the library refused this: \(name)",
            hint: hint,
            details: details
        )
    }

    private init(_ status: Int, _ name: String) {
        self.status = hsip_status(clamping: status)
        self.name = name
    }
}
