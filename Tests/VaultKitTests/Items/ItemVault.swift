import RecordStore
import Secrets
import Support
import Testing
import VaultCrypto
import VaultPolicy

@testable import VaultKit

/// A vault in memory with items, and programs on the bus in front of it.
struct ItemVault {
    let clock = TestClock()
    let store: MemoryStore
    let vault: Vault
    /// What hsip itself does.
    var own: any VaultService { LocalService(vault) }

    init() {
        store = MemoryStore(entropy: .system, now: { [clock] in clock.now * 1000 })
        vault = Vault(store: store, clock: { [clock] in clock.now })
    }

    /// A program on the bus; nil is one that is not known.
    static func program(_ identity: String?, pid: Int32 = 7, start: UInt64 = 1) -> Requester {
        let identity = identity.flatMap { ProgramIdentity($0) }
        return Requester(uid: 1_000, pid: pid, bus: BusProgram(identity: identity, start: start))
    }

    static let git = program("/usr/bin/git")
    static let browser = program("/usr/bin/browser")
    static let python = program("/usr/bin/python3")
    static let flatpak = program("flatpak:org.example.App")
    static let unknown = program(nil)

    /// What the agent does for a program: a verdict for each act, and the answer to each question.
    ///
    /// - Returns: what the operation answers.
    /// - Throws: `Refused`, or what the vault refuses.
    func call<Output, each Input>(
        _ operation: Operation<Output, repeat each Input>,
        _ input: repeat each Input,
        by requester: Requester,
        yes: Bool = false,
        rules: [Rule] = []
    ) async throws -> Output {
        let request = operation.request(repeat each input)
        try #require(request.isForBus)
        let policy = Policy(owner: 1_000, rules: rules)
        var permitted: [Act] = []
        for act in try await vault.itemActs(of: request, by: requester) {
            switch policy.verdict(on: act, by: requester, time: clock.now, moment: 0) {
            case .allow: permitted.append(act)
            case .ask where yes && request.holds: permitted.append(act)
            case .ask, .deny: if !request.leavesOut { throw Refused() }
            }
        }
        let access = BusAccess(requester, policy: policy, time: clock.now, moment: 0, permitted: permitted)
        return try await vault.perform(operation, for: .bus(access), repeat each input)
    }

    /// The policy, or the person, said no.
    struct Refused: Error {}

    /// Stores an item as a program does.
    @discardableResult
    func store(
        _ value: String,
        _ attributes: [String: String],
        label: String = "L",
        in collection: String = "login",
        replacing: Bool = false,
        by requester: Requester = git,
        yes: Bool = false
    ) async throws -> ItemOutcome {
        let making = try making(value, attributes, label: label, in: collection, replacing: replacing)
        return try await call(Operations.makeItem, making, by: requester, yes: yes)
    }

    /// The value that a program gets; nil where it gets none.
    func value(
        _ id: String,
        by requester: Requester = git,
        yes: Bool = false,
        rules: [Rule] = []
    ) async throws -> String? {
        try await call(Operations.itemGet, ItemReading([id]), by: requester, yes: yes, rules: rules).values()
            .first
            .map { text($0) }
    }

    /// The ids that a program finds: those that are open, and those to be asked about.
    func found(
        _ attributes: [String: String] = [:],
        in collection: String? = nil,
        by requester: Requester = git,
        rules: [Rule] = []
    ) async throws -> (open: [String], asked: [String]) {
        let search = ItemSearch(try itemAttributes(attributes), in: collection)
        let found = try await call(Operations.itemSearch, search, by: requester, rules: rules)
        return (found.open.map(\.id), found.asked.map(\.id))
    }
}

/// Attributes of an item.
func itemAttributes(_ pairs: [String: String]) throws -> ItemAttributes {
    try ItemAttributes(pairs.map { .init(name: Array($0.key.utf8), value: Array($0.value.utf8)) })
}

/// An item to be stored.
func making(
    _ value: String,
    _ attributes: [String: String],
    label: String = "L",
    in collection: String = "login",
    replacing: Bool = false
) throws -> ItemMaking {
    ItemMaking(
        collection: collection,
        label: label,
        attributes: try itemAttributes(attributes),
        value: try Secret(copying: Array(value.utf8)),
        replaces: replacing
    )
}

/// An item of another keyring.
func imported(
    _ value: String,
    _ attributes: [String: String],
    in collection: String = "login",
    contentType: String? = nil,
    created: UInt64 = 0,
    modified: UInt64 = 0
) throws -> ImportedItem {
    ImportedItem(
        collection: collection,
        label: "L",
        attributes: try itemAttributes(attributes),
        contentType: contentType,
        value: try Secret(copying: Array(value.utf8)),
        created: created,
        modified: modified
    )
}

/// The value of an item as text.
func text(_ value: ItemValue) -> String {
    value.value.withBytes { String(decoding: $0.copied(), as: UTF8.self) }
}
