internal import AgentProtocol
internal import CHSIP
internal import HSIP
internal import Programs
internal import RecordStore
internal import VaultCrypto
internal import VaultKit
internal import VaultOpening

/// Every error as a number and a name: the one place where they become what C knows.
struct Refused {
    let status: hsip_status
    let name: String

    init(_ error: any Error) {
        switch error {
        case let error as LibraryError: self.init(error.status, error.name)
        case let error as VaultError: self.init(Int(error.exitCode), error.name)
        case let error as AgentError: self.init(Int(error.exitCode), error.name)
        case let error as StoreError: self.init(Int(error.exitCode), error.name)
        case let error as HSIPError: self.init(Int(error.exitCode), error.name)
        case let error as OpeningError: self.init(error)
        case let error as ProgramError: self.init(error)
        case is CryptoError: self.init(HSIP_UNAVAILABLE, "outOfMemory")
        case is AgentPathsError: self.init(HSIP_UNAVAILABLE, "unavailable")
        default: self.init(HSIP_FAILURE, "failure")
        }
    }

    private init(_ status: Int, _ name: String) {
        self.status = hsip_status(clamping: status)
        self.name = name
    }

    private init(_ error: OpeningError) {
        switch error {
        case .badName: self.init(HSIP_USAGE, "usage")
        case .unreadableConfig: self.init(HSIP_MALFORMED, "malformedInput")
        case .file(let error), .secretFile(_, let error): self.init(error)
        case .store(let error): self.init(error)
        case .noHome, .noCurrentFolder, .unwritableConfig, .noConfigFolder, .misplaced:
            self.init(HSIP_UNAVAILABLE, "unavailable")
        }
    }

    /// Of the file with a passphrase, and of a person who said no.
    private init(_ error: ProgramError) {
        switch error {
        case .noSuchFile: self.init(HSIP_NOT_FOUND, "notFound")
        case .unsafeFile, .notReadable, .refused: self.init(HSIP_DENIED, "denied")
        case .tooLarge, .notText: self.init(HSIP_MALFORMED, "malformedInput")
        default: self.init(HSIP_UNAVAILABLE, "unavailable")
        }
    }
}
