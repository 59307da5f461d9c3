internal import AgentProtocol
internal import Presentation
internal import RecordStore
internal import Secrets
internal import MessageBus
internal import VaultKit

/// Why a call of a client is refused, as the client hears it; never a value, never an attribute.
struct CallFailure: Error {
    let error: BusError
    let text: String

    init(_ error: BusError, _ text: String) { (self.error, self.text) = (error, text) }

    static let isLocked = CallFailure(.isLocked, "the vault is locked")
    static let noSession = CallFailure(.noSession, "the session is not one of yours")
    static let noSuchObject = CallFailure(.noSuchObject, "no such object")
    static let invalid = CallFailure(.invalidArguments, "wrong arguments for the method")
    static let denied = CallFailure(.accessDenied, "the request is refused")
    static let nobody = CallFailure(
        .accessDenied,
        "the request needs approval, and hsip cannot ask: hsip item set ID --reader PROGRAM"
    )
    static let notYours = CallFailure(.accessDenied, "the object belongs to another program")
    static let notSupported = CallFailure(.notSupported, "the request is not supported")
    static let tooMuch = CallFailure(.limitsExceeded, "the request exceeds a limit")

    /// What a client hears of an error of the agent, of the vault or of the formats.
    init(_ error: any Error) {
        switch error {
        case let failure as CallFailure: self = failure
        case let error as ServiceError: self.init(service: error)
        case let error as VaultError: self.init(vault: error)
        case AgentError.vault(let error): self.init(vault: error)
        case AgentError.refused(let refusal): self.init(refusal)
        // Without an agent nothing is open, and what it had begun is not known to be done.
        case AgentError.noAgent, AgentError.lost: self = .isLocked
        default: self.init(.failed, "the agent does not answer")
        }
    }

    private init(_ refusal: Refusal) {
        let error: BusError =
            switch refusal.name {
            case "locked", "promptTimeout", "cancelled": .isLocked
            case "policyRefused", "nobodyToAsk", "promptDismissed": .accessDenied
            case "busy": .limitsExceeded
            default: .failed
            }
        self.init(error, error == .failed ? "\(refusal.name): \(refusal.message)" : refusal.message)
    }

    private init(vault error: VaultError) {
        switch error {
        case .store(.locked): self = .isLocked
        case .item(let error):
            switch error {
            case .unknownItem, .inTrash, .unknownVersion, .unknownCollection: self = .noSuchObject
            case .closed: self.init(.isLocked, "the collection is closed")
            case .fixedCollection: self = .notSupported
            case .badItem: self = .invalid
            case .valueTooLong, .tooManyItems, .tooManyBytes, .tooManyCollections, .tooManyReaders,
                .tooManyInCall:
                self = .tooMuch
            case .onlyByPeople: self = .denied
            case .changedMeanwhile, .unreadable, .outOfMemory:
                self.init(.failed, "\(Failure(VaultError.item(error)).name): the vault cannot do so now")
            }
        default: self.init(.failed, "\(Failure(error).name): the vault refuses the request")
        }
    }

    private init(service error: ServiceError) {
        switch error {
        case .unknownAlgorithm: self = .notSupported
        case .valueTooLong, .tooMuch: self = .tooMuch
        case .outOfMemory: self.init(.failed, "no locked memory is left")
        case .badInput, .badPublicValue, .badParameters, .badValue, .badAttribute, .badItem, .newerItem:
            self = .invalid
        }
    }
}

extension BusError {
    static let isLocked = BusError("org.freedesktop.Secret.Error.IsLocked")
    static let noSession = BusError("org.freedesktop.Secret.Error.NoSession")
    static let noSuchObject = BusError("org.freedesktop.Secret.Error.NoSuchObject")
}

/// The interfaces that are served.
enum Interface {
    static let service = "org.freedesktop.Secret.Service"
    static let collection = "org.freedesktop.Secret.Collection"
    static let item = "org.freedesktop.Secret.Item"
    static let session = "org.freedesktop.Secret.Session"
    static let prompt = "org.freedesktop.Secret.Prompt"
    static let properties = "org.freedesktop.DBus.Properties"
    static let introspectable = "org.freedesktop.DBus.Introspectable"
    static let provider = "io.hsip.Provider1"
}
