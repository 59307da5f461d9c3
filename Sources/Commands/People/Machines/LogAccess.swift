internal import FileStore
internal import LogCarriers
internal import Presentation
internal import RecordStore
internal import SharedLog
internal import System
internal import Text
internal import VaultKit
internal import VaultLifecycle

/// Access to the entries of a shared log, and to the facts that this machine keeps beside the vault.
struct LogAccess {
    /// The number of bytes that are read at once.
    static let pageSize = 4 << 20

    private let context: Context
    private let address: CarrierAddress
    private let logID: [UInt8]
    private let stateFolder: LogStateFolder
    private let anchor: LogAnchor
    private let login: EtcdCredentials?

    /// The login for a log, for several syncs of one command; nil if the log needs none, or the vault has none.
    static func login(at address: LogAddress?, of vault: any VaultService) async throws -> EtcdCredentials? {
        guard let address, address.isEtcd else { return nil }
        return try await vault(Operations.logLogin)?.credentials(for: address)
    }

    /// Opens the access to a log.
    ///
    /// - Throws: `newerEntry` for a kind of address that a newer program chose; `malformed` for an invalid address.
    init(
        _ context: Context,
        _ logID: [UInt8],
        at address: LogAddress,
        _ login: EtcdCredentials? = nil
    ) throws {
        (self.context, self.logID, self.login) = (context, logID, login)
        guard let kind = CarrierAddress.Kind(rawValue: address.carrier) else {
            throw Failure(
                .newerEntry,
                "a newer program chose the place of the shared log",
                hint: "hsip version"
            )
        }
        self.address = try context.address(kind, address.text)
        let folder = try context.place().paths.anchorFolder
        stateFolder = LogStateFolder(stateFolder: Path.folder(of: folder), logID: logID)
        anchor = LogAnchor(folder: folder, logID: logID)
    }

    /// Locks out other syncs while the value exists.
    ///
    /// - Throws: `busy` if another sync holds the lock for ten seconds.
    func hold() throws -> SyncLock {
        try stateFolder.make()
        do throws(StoreError) {
            return try stateFolder.hold()
        } catch {
            guard case .busy = error else { throw error }
            throw Failure(.busy, "another sync of this vault is running", hint: "hsip sync")
        }
    }

    /// Runs `body` with the carrier of the log.
    func reach<R>(_ body: (any LogCarrier) throws -> R) throws -> R {
        guard address.kind != .etcd || login != nil else {
            throw Failure(
                .logRefused,
                "this machine has no login for \(context.output.display.cell(address.text, columns: .max))",
                hint: "\(address.setupCommand) --user NAME"
            )
        }
        return try context.reach(address, mirror: stateFolder.gitFolder, login) { home in
            try body(try address.carrier(of: logID, home))
        }
    }

    /// Reads all entries of the log.
    func readWhole() throws -> [[UInt8]] {
        let first = try reach { try $0.latest(from: 1, bytes: Self.pageSize) }
        let range = first.range
        // The log may have been trimmed, so it may begin later than at 1.
        var entries = first.entries
        while !range.isEmpty, range.oldest + UInt64(entries.count) <= range.newest {
            let place = range.oldest + UInt64(entries.count)
            let page = try reach { try $0.read(from: place, bytes: Self.pageSize) }
            guard !page.entries.isEmpty else { throw LogError(.logBehind, at: place) }
            entries += page.entries
        }
        return entries
    }

    /// The failure if the agent refuses the whole log as too large.
    static func tooLarge(_ command: String) -> Failure {
        Failure(
            .requestTooLarge,
            "the shared log is larger than the agent accepts at once; nothing was received",
            hint: "hsip --no-agent \(command)"
        )
    }

    /// The failure if another machine wrote before this vault's recovery was sent.
    var unfinished: Failure {
        let kind = SyncRecover.Kind.allCases.first { $0.carrier == address.kind }?.rawValue ?? "git"
        return Failure(
            .busy,
            "the recovery of this vault is not finished",
            hint: "hsip sync recover \(kind) \(ShellWord.quoted(address.text))"
        )
    }

    /// The failure if the log can be read, but does not accept what this machine sends.
    var unanswered: Failure {
        let place = context.output.display.cell(address.text, columns: .max)
        var failure = CarrierError.unreachable.explanation(at: place, address.kind)
        failure.message = "\(place) does not accept what this machine sends"
        return failure
    }

    /// The newest entry that this machine ever accepted, even if an older vault was restored since.
    func seen() throws -> LogPlace? {
        try anchor.read().map { LogPlace(place: $0.place, hash: $0.hash, epoch: $0.epoch) }
    }

    /// Records an entry that the vault accepted.
    func remember(_ head: LogPlace) throws {
        do throws(StoreError) {
            try anchor.raise(to: LogAnchor.Head(epoch: head.epoch, place: head.place, hash: head.hash))
        } catch {
            guard case .fork = error else { throw error }
            throw LogError(.logForked, at: head.place)
        }
    }

    /// Removes the anchor, and the folder with the lock and git's copy.
    func forget() throws {
        try anchor.remove()
        var program = ChildProcess(path: "/bin/rm")
        program.arguments = ["-rf", "--", stateFolder.path]
        program.seconds = 60
        guard try program.run().status == 0 else {
            throw Failure(.unavailable, "\(context.path(stateFolder.path).shown) could not be removed")
        }
    }
}

extension Context {
    /// Reads a typed address: an absolute path means a git repository on this disk, and an address of etcd without a path
    /// means `/hsip` there.
    ///
    /// - Throws: `malformed`.
    func address(_ kind: CarrierAddress.Kind, _ text: String) throws -> CarrierAddress {
        let text =
            switch kind {
            case .git: text.hasPrefix("/") ? "file://\(text)" : text
            case .etcd: Self.hasPath(text) ? text : "\(text)/hsip"
            case .folder: text
            }
        do throws(CarrierError) {
            return try CarrierAddress(kind, text)
        } catch {
            throw error.explanation(at: text, kind)
        }
    }

    /// True if the last server in an address of etcd has a path.
    private static func hasPath(_ text: String) -> Bool {
        let last = text.split(separator: ",", omittingEmptySubsequences: false).last ?? ""
        let scheme = "https://"
        return (last.hasPrefix(scheme) ? last.dropFirst(scheme.count) : last).contains("/")
    }

    /// Runs `body` with a carrier's environment; a signal ends the helper program that runs.
    ///
    /// `again` is the command to repeat if etcd does not answer; nil for a sync.
    func reach<R>(
        _ address: CarrierAddress,
        mirror: String,
        _ login: EtcdCredentials? = nil,
        again: String? = nil,
        _ body: (CarrierHome) throws -> R
    ) throws -> R {
        let signals = try SignalWatch()
        defer { signals.stop() }
        let home = CarrierHome(
            mirror: mirror,
            runner: HelperRunner(environment: environment),
            signals: signals,
            credentials: login
        )
        let place = output.display.cell(address.text, columns: .max)
        do {
            let result = try output.working("contacting \(place)…") { try body(home) }
            // A signal ends a helper program, but not the work in a folder.
            if let signal = signals.caught { throw CarrierError.interrupted(signal: signal) }
            return result
        } catch let error as CarrierError {
            throw Failure(
                error.explanation(at: place, address.kind, servers: address.endpoints, again: again)
            )
        }
    }
}

extension CarrierAddress {
    /// The command that sets up a log at this address of etcd, or changes the login.
    var setupCommand: String { "hsip setup sync etcd \(ShellWord.quoted(text))" }
}
