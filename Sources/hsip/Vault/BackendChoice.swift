internal import CommandKit
internal import Console
internal import RecordStore
internal import VaultLifecycle

/// Where a new vault will be kept, and why: decided once, from plain values.
struct BackendChoice: Equatable {
    let backend: Backend
    let reason: BackendReason

    /// What the words of `init` say about it.
    struct Request: Equatable {
        /// `--backend`; nil for `auto`.
        var backend: Backend?
        /// `--collection`.
        var collection: String?
        /// The vault was named by a path.
        var isPath = false
        /// `--passphrase-file`, `--passphrase-fd`, `-o`, `--weak`, `--keyring-slot`: what only a file has.
        var fileOption: String?
    }

    /// What the words alone decide; nil where the keyring has to be asked whether it is there.
    ///
    /// - Throws: a usage error for words that contradict each other.
    static func outright(_ request: Request) throws(Failure) -> BackendChoice? {
        if request.backend == .secretService || request.collection != nil {
            try check(request)
            return BackendChoice(backend: .secretService, reason: .asked)
        }
        if request.backend == .file { return BackendChoice(backend: .file, reason: .asked) }
        if request.isPath { return BackendChoice(backend: .file, reason: .path) }
        if request.fileOption != nil { return BackendChoice(backend: .file, reason: .passphraseGiven) }
        return nil
    }

    /// What `auto` makes of an answer, or of none.
    ///
    /// `mayAsk` says that a display is there, and the user may be asked to unlock the keyring.
    static func automatic(_ finding: KeyringFinding, mayAsk: Bool) -> BackendChoice {
        switch finding {
        case .open: BackendChoice(backend: .secretService, reason: .answered)
        case .locked where mayAsk: BackendChoice(backend: .secretService, reason: .answered)
        case .locked: BackendChoice(backend: .file, reason: .keyringLocked)
        case .failed(let error): BackendChoice(backend: .file, reason: BackendReason(error))
        }
    }

    private static func check(_ request: Request) throws(Failure) {
        if request.backend == .file {
            throw .usage("--collection chooses a keyring, and --backend file a file")
        }
        if request.isPath {
            throw .usage("a vault in the keyring has a name and no path", hint: "--vault NAME")
        }
        if let option = request.fileOption {
            throw .usage(
                "\(option) is for a vault file: one in the keyring has no passphrase and no key slots",
                hint: "--backend file"
            )
        }
    }
}
