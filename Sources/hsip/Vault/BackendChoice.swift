internal import Commands
internal import Presentation
internal import RecordStore
internal import VaultLifecycle

extension Init {
    /// Decides where the vault goes, and gives the reason where no option named the place.
    func choose(_ place: VaultPlace, _ context: Context) throws -> BackendChoice {
        let request = BackendChoice.Request(
            backend: backend == .auto ? nil : backend == .file ? .file : .secretService,
            collection: collection,
            isPath: place.name == nil,
            fileOption: fileOption(context.globals)
        )
        if let choice = try BackendChoice.outright(request) {
            // No option named the file: a vault is not made beside one in the keyring.
            if backend == .auto, choice.backend == .file, place.name != nil {
                if let service = context.lookAtKeyring().service {
                    try context.refuseStranger(in: service, place)
                } else {
                    try refuseForgotten(place, context)
                }
            }
            return choice
        }
        let (finding, service) = context.lookAtKeyring()
        if let service { try context.refuseStranger(in: service, place) }
        let choice = BackendChoice.automatic(finding, mayAsk: context.mayAskAtDesktop)
        if choice.backend == .file { try refuseForgotten(place, context) }
        let target = choice.backend == .file ? "an encrypted file" : "the keyring"
        context.output.note("the vault is kept in \(target), because \(choice.reason.text)")
        return choice
    }

    /// No option named the file: not where a vault was seen of which nothing is recorded, and which may lie in a keyring that
    /// does not answer now.
    private func refuseForgotten(_ place: VaultPlace, _ context: Context) throws {
        let creation = VaultCreation(at: context.locator(place))
        guard let forgotten = try context.explaining({ try creation.forgottenAnchor() }) else { return }
        throw Failure(
            .alreadyExists,
            "there was a vault here before, which may lie in the keyring: \(context.path(forgotten).shown) "
                + "remembers it",
            hint: "hsip doctor --fix  with the keyring running, or hsip init --backend file  for a new one"
        )
    }

    private func fileOption(_ globals: Globals) -> String? {
        if globals.passphraseFile != nil { return "--passphrase-file" }
        if globals.passphraseDescriptor != nil { return "--passphrase-fd" }
        if let kit = kit.target {
            return kit.file != nil ? "--kit" : kit.look.isPrinted ? "--print" : "--printer"
        }
        if globals.asksShares { return "--shares" }
        return secrets.file != nil ? "-o" : secrets.weak ? "--weak" : keyringSlot ? "--keyring-slot" : nil
    }
}

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
