import Dispatch
import RecordStore
import Support
import Testing
import VaultCrypto

@testable import SecretServiceStore

@Suite struct ServiceFaultTests {
    /// Every call there is.
    private static let calls: [(name: String, call: @Sendable (Desk, ItemPath) throws -> Void)] = [
        ("find", { desk, _ in _ = try desk.service.find(["a": "b"]) }),
        ("read", { desk, item in _ = try desk.text(of: item) }),
        ("facts", { desk, item in _ = try desk.service.facts(of: [item]) }),
        ("create", { desk, _ in _ = try desk.create("t", ["a": "c"]) }),
        ("set", { desk, item in try desk.service.setSecret(desk.secret("t"), of: item) }),
        ("describe", { desk, item in try desk.service.describe(item, label: "l", attributes: [:]) }),
        ("delete", { desk, item in try desk.service.delete(item) }),
        ("unlock", { desk, item in try desk.service.unlock([item]) }),
        ("collections", { desk, _ in _ = try desk.service.collections() }),
        ("choose", { desk, _ in _ = try desk.service.collection(.standard, making: true) }),
    ]
    private static let hasty = Patience(call: .seconds(5), prompt: .seconds(60), mayAsk: true)

    @Test(arguments: [
        [:], ["XDG_RUNTIME_DIR": ""], ["XDG_RUNTIME_DIR": "run"], ["XDG_RUNTIME_DIR": "/nonexistent"],
        ["DBUS_SESSION_BUS_ADDRESS": ""], ["DBUS_SESSION_BUS_ADDRESS": "autolaunch:"],
        ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"], ["DBUS_SESSION_BUS_ADDRESS": "nonsense"],
        ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/dev/null;autolaunch:scope=x"],
    ])
    func `without a session bus that is the error, and none is started`(
        environment: [String: String]
    ) {
        #expect(throws: StoreError.noSessionBus) {
            try SecretService.connect(environment: environment, patience: .probe)
        }
    }

    @Test func `the bus in the runtime folder is found without an address`() throws {
        let keyring = try ScratchKeyring()
        var environment = keyring.environment
        environment["DBUS_SESSION_BUS_ADDRESS"] = nil
        let service = try SecretService.connect(environment: environment, patience: .script)
        #expect(try service.collections().count == 1)
        environment["DBUS_SESSION_BUS_ADDRESS"] = "autolaunch:"
        #expect(
            try SecretService.connect(environment: environment, patience: .script).collections().count == 1
        )
    }

    @Test func `a folder of any name can hold the bus`() throws {
        #expect(try BusAddress.find(in: ["DBUS_SESSION_BUS_ADDRESS": "a:b;autolaunch:;c:d"]) == "a:b;c:d")
        let keyring = try ScratchKeyring(hasKeyring: false)
        let folder = keyring.folder + "/ä b%;,="
        try keyring.run(["ln", "-s", keyring.folder + "/run", folder])
        let address = try BusAddress.find(in: ["XDG_RUNTIME_DIR": folder])
        #expect(address.hasSuffix("/%c3%a4%20b%25%3b%2c%3d/bus"))
        #expect(throws: StoreError.noSecretService) {
            try SecretService.connect(environment: ["XDG_RUNTIME_DIR": folder], patience: .probe)
        }
    }

    @Test(arguments: [nil, "/bin/false", "/nonexistent"])
    func `a bus without a service, or with one that does not start`(activated: String?) throws {
        let keyring = try ScratchKeyring(hasKeyring: false, activated: activated)
        #expect(throws: StoreError.noSecretService) {
            try SecretService.connect(environment: keyring.environment, patience: .probe)
        }
    }

    @Test func `a library that is not there, or is another one`() throws {
        let keyring = try ScratchKeyring(hasKeyring: false)
        for library in ["libsecret-1.so.999", "libc.so.6"] {
            #expect(throws: StoreError.noSecretLibrary) {
                try SecretService.connect(
                    environment: keyring.environment,
                    patience: .probe,
                    library: library
                )
            }
        }
    }

    @Test func `a bus that takes the connection and says nothing`() throws {
        let keyring = try ScratchKeyring()
        keyring.stopBus()
        #expect(throws: StoreError.keyringTimeout) {
            try SecretService.connect(environment: keyring.environment, patience: Self.hasty)
        }
    }

    @Test func `a service that answers nothing is not waited for, and goes on where it stopped`() throws {
        let desk = try Desk()
        let item = try desk.create("s", ["a": "b"])
        let desks = try Self.calls.map { _ in try Desk(desk.keyring, patience: Self.hasty) }
        desk.keyring.stopKeyring()
        let outcomes = zip(desks, Self.calls).map { desk, call in Outcome { try call.call(desk, item) } }
        let connecting = Outcome {
            _ = try SecretService.connect(environment: desk.keyring.environment, patience: Self.hasty)
        }
        for (outcome, call) in zip(outcomes, Self.calls) {
            #expect(outcome.error() == .keyringTimeout, "\(call.name)")
        }
        #expect(connecting.error() == .keyringTimeout)
        desk.keyring.resumeKeyring()
        for desk in desks { #expect(try desk.service.collections().count == 1) }
    }

    /// The same calls behind the check that the service is alive.
    private static let inside: [String: @Sendable (Link, Waiting, CollectionInfo, ItemPath) throws -> Void] =
        [
            "find": { link, waiting, _, _ in _ = try link.find(["a": "b"], waiting) },
            "read": { link, waiting, _, item in _ = try link.secrets(of: [item], waiting) },
            "facts": { link, waiting, _, item in _ = try link.facts(of: [item], waiting) },
            "create": { link, waiting, collection, _ in
                let draft = ItemDraft(label: "l", attributes: [:], secret: try Secret(copying: [1]))
                _ = try link.create(draft, in: collection.path, waiting)
            },
            "set": { link, waiting, _, item in
                try link.setSecret(try Secret(copying: [1]), of: item, waiting)
            },
            "describe": { link, waiting, _, item in
                try link.describe(item, label: "l", attributes: [:], waiting)
            },
            "delete": { link, waiting, _, item in try link.delete(item, waiting) },
            "unlock": { link, waiting, _, item in try link.unlock([item], waiting) },
            "collections": { link, waiting, _, _ in _ = try link.collections(waiting) },
            "make": { link, waiting, _, _ in _ = try link.makeCollection("l", waiting) },
        ]

    @Test(arguments: inside.keys.sorted(), [false, true])
    func `a service or a bus that dies in the middle of a call`(name: String, withBus: Bool) throws {
        let desk = try Desk()
        let item = try desk.create("s", ["a": "b"])
        let call = try #require(Self.inside[name])
        let begun = DispatchSemaphore(value: 0)
        desk.keyring.stopKeyring()
        let outcome = Outcome {
            try desk.service.perform { [collection = desk.collection] link, waiting throws(StoreError) in
                begun.signal()
                try Self.typed { try call(link, waiting, collection, item) }
            }
        }
        begun.wait()
        if withBus { desk.keyring.killBus() } else { desk.keyring.killKeyring() }
        #expect(outcome.error() == .keyringDied)
        // And what comes after says what is missing now.
        let missing: StoreError = withBus ? .noSessionBus : .noSecretService
        #expect(throws: missing) { try desk.service.collections() }
    }

    private static func typed(_ call: () throws -> Void) throws(StoreError) {
        do { try call() } catch { throw error as? StoreError ?? .corrupt }
    }

    @Test func `a service that died and came back is found again`() throws {
        let desk = try Desk()
        let item = try desk.create("s", ["a": "b"])
        desk.keyring.killKeyring()
        try desk.keyring.startKeyring()
        #expect(try desk.text(of: item) == "s")
        desk.keyring.killKeyring()
        desk.keyring.killBus()
        // A call may still find the connection open that is about to close; the one after it does not.
        let first = #expect(throws: StoreError.self) { try desk.text(of: item) }
        #expect(first == .keyringDied || first == .noSessionBus)
        #expect(throws: StoreError.noSessionBus) { try desk.text(of: item) }
        try desk.keyring.startBus()
        #expect(throws: StoreError.noSecretService) { try desk.text(of: item) }
        try desk.keyring.startKeyring()
        #expect(try desk.text(of: item) == "s")
    }

    @Test func `anyone who waits can be released, and no one else`() throws {
        let desk = try Desk()
        desk.service.cancel()
        #expect(try desk.service.collections().count == 1)
        desk.keyring.stopKeyring()
        let begun = DispatchSemaphore(value: 0)
        let outcome = Outcome {
            _ = try desk.service.perform { link, waiting throws(StoreError) in
                begun.signal()
                return try link.find(["a": "b"], waiting)
            }
        }
        begun.wait()
        desk.service.cancel()
        #expect(outcome.error() == .cancelled)
        desk.keyring.resumeKeyring()
        #expect(try desk.service.find(["a": "b"]) == FoundItems())
    }

    @Test func `a call that does not even end when told to is left behind`() throws {
        let desk = try Desk(patience: Self.hasty)
        let gate = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        #expect(throws: StoreError.keyringTimeout) {
            try desk.service.perform { _, _ in
                gate.wait()
                ended.signal()
            }
        }
        // The next call has another thread and another connection.
        #expect(try desk.service.collections().count == 1)
        gate.signal()
        ended.wait()
        #expect(try desk.service.collections().count == 1)
    }

    @Test func `calls from many threads come one after the other`() throws {
        let desk = try Desk()
        DispatchQueue.concurrentPerform(iterations: 24) { number in
            #expect(throws: Never.self) {
                let path = try desk.create("text \(number)", ["n": "\(number)"])
                #expect(try desk.service.find(["n": "\(number)"]).unlocked == [path])
                #expect(try desk.text(of: path) == "text \(number)")
            }
        }
    }
}
