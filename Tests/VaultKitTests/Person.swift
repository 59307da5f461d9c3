import FileStore
import HSIP
import KeyringFake
import RecordStore
import SecretServiceStore
import Support
import Synchronization
import Testing
import VaultCrypto
import VaultKit

/// A wall clock that tests move.
final class TestClock: Sendable {
    private let seconds: Mutex<UInt64>

    init(_ seconds: UInt64 = 1_800_000_000) { self.seconds = Mutex(seconds) }

    var now: UInt64 { seconds.withLock { $0 } }

    func advance(by amount: UInt64) { seconds.withLock { $0 += amount } }

    func turnBack(by amount: UInt64) { seconds.withLock { $0 -= amount } }
}

extension VaultService {
    /// Goes on to `seconds` later with a use every day, so that no clock takes it for a jump.
    func live(_ seconds: UInt64, by clock: TestClock) async throws {
        var left = seconds
        while left > 0 {
            let step = min(left, 23 * 3_600)
            clock.advance(by: step)
            left -= step
            _ = try await self(Operations.setName, self(Operations.identity).name)
        }
    }
}

/// Where a vault under test keeps its records.
enum Backend: CaseIterable {
    case memory
    case file
    /// A keyring in memory.
    case keyring
    /// In memory, behind a process boundary: every call is carried to it as bytes.
    case carried
}

/// Someone with a vault of their own.
struct Person {
    let name: String
    let clock: TestClock
    let store: any Store
    let vault: any VaultService

    init(_ name: String, clock: TestClock, backend: Backend = .carried) async throws {
        self.name = name
        self.clock = clock
        // A store may outlive the person of whom it is: its folder goes with it.
        switch backend {
        case .memory, .carried:
            store = MemoryStore(entropy: .system, now: { clock.now * 1000 })
        case .file:
            let folder = try StoreScratch()
            store = try FileStore.create(
                at: VaultPaths(
                    vault: folder.path + "/vault/v.hsipvault",
                    anchorFolder: folder.path + "/state"
                ),
                slots: [NewSlot(.recovery(try Secret(copying: Entropy.system.bytes(16))), label: "paper")],
                entropy: .system,
                now: { withExtendedLifetime(folder) { clock.now * 1000 } }
            )
        case .keyring:
            let folder = try StoreScratch()
            store = try SecretServiceStore.create(
                named: "home",
                in: StoreFakeService.info,
                paths: KeyringPaths(
                    anchorFolder: folder.path + "/state",
                    lockFolder: folder.path + "/run"
                ),
                items: StoreFakeService(),
                entropy: .system,
                now: { withExtendedLifetime(folder) { clock.now * 1000 } }
            )
        }
        let local = Vault(store: store, clock: { clock.now })
        vault = backend == .carried ? CarriedService(Loopback(vault: local)) : local.service
        _ = try await vault(Operations.createIdentity, name)
    }

    /// The store as one that can be told to fail; only in memory.
    func faulty() throws -> MemoryStore { try #require(store as? MemoryStore) }

    /// Another process on the same vault.
    func secondProcess() -> any VaultService {
        Vault(store: store, clock: { [clock] in clock.now }).service
    }

    /// Offers to someone and takes their answer; both know each other by lower-case names afterwards.
    func pair(with other: Person) async throws {
        let offer = try #require(try await vault(Operations.makeOffer, OfferRequest(), nil).code)
        let answer = try #require(try await other.vault(Operations.accept, offer, AcceptOptions()).code)
        _ = try await vault(Operations.accept, answer, AcceptOptions())
    }

    func write(_ text: String, to other: Person) async throws -> SealedMessage {
        try await vault(Operations.encrypt, try Secret(copying: Array(text.utf8)), other.name.lowercased())
    }

    func read(_ message: SealedMessage) async throws -> String? {
        try await vault(Operations.decrypt, message.envelope, nil, false).plaintext?.withBytes {
            String(decoding: $0.copied(), as: UTF8.self)
        }
    }
}

/// Alice and Bob, paired, with one clock.
struct Couple {
    let clock = TestClock()
    let alice: Person
    let bob: Person

    init(_ backend: Backend = .carried) async throws {
        alice = try await Person("Alice", clock: clock, backend: backend)
        bob = try await Person("Bob", clock: clock, backend: backend)
        try await alice.pair(with: bob)
    }
}
