import Foundation
import HSIP
import RecordStore
import SSHFormats
import Secrets
import Support
import Testing
import Text
import VaultCrypto
@testable import VaultKit
import VaultPolicy

/// What crosses the process boundary between a command and an agent.
struct ServiceTests {
    private func vault() async throws -> Vault {
        let vault = Vault(
            store: MemoryStore(entropy: .system, now: { 1_800_000_000_000 }),
            clock: { 1_800_000_000 }
        )
        try await vault.createIdentity(name: "Alice")
        return vault
    }

    /// Methods of the actor that are no operation of their own.
    private static let inside: Set<String> = [
        // One of several.
        "addSSHHost", "trustHostKey",
    ]

    /// The files of the module under test.
    private static func sources() throws -> [(path: String, text: String)] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/VaultKit"
        )
        .standardized.path
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
            $0.hasSuffix(".swift")
        }
        return try names.map { ($0, try String(contentsOfFile: folder + "/" + $0, encoding: .utf8)) }
    }

    @Test func `every public method of the vault is an operation`() throws {
        let files = try Self.sources()
        var missing: [String] = []
        var found = 0
        let service = files.filter { $0.path.hasPrefix("Operations/") }.map(\.text).joined()
        for file in files where file.text.contains("extension Vault {") {
            for line in file.text.split(separator: "\n") {
                guard let name = line.firstMatch(of: /^    public (?:nonisolated )?func (\w+)\(/)?.1 else {
                    continue
                }
                found += 1
                // On the thread of the caller: for this process only.
                if Self.inside.contains(String(name)) || name.hasSuffix("AtOnce") { continue }
                if !service.contains("vault.\(name)(") && !service.contains("public func \(name)(") {
                    missing.append(String(name))
                }
            }
        }
        #expect(found > 50)
        #expect(missing == [])
    }

    @Test func `every operation that is declared is in the table, once`() throws {
        let all = OperationTable.all
        #expect(OperationTable.names.count == all.count)
        let files = try Self.sources().filter { $0.path.hasPrefix("Operations/") }
        let declared = files.map { $0.text.matches(of: /static let \w+ = Operation[.(]/).count }
        #expect(declared.reduce(0, +) == all.count)
    }

    @Test func `an operation that no one knows is refused`() async throws {
        let call = VaultCall(operation: "vault.destroy", arguments: [0x80], secrets: [])
        let vault = try await vault()
        await #expect(throws: VaultError.unknownOperation) {
            try await Loopback(vault: vault).answer(call)
        }
    }

    @Test func `arguments of any bytes are an error or an answer, for every operation`() async throws {
        let vault = try await vault()
        let good = try Operations.encrypt.call(try Secret(copying: [1, 2, 3]), "bob")
        var samples: [[UInt8]] = [
            [], [0x80], [0xFF], [0x9F], [0xA0], [0xF6], [0xC0, 0x00], [0x1B], good.arguments,
            [0x9B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0xBB, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x5A, 0xFF, 0xFF, 0xFF, 0xFF, 0x00],
            [UInt8](repeating: 0x81, count: 100_000),
            [0x81, 0xD9, 0x80, 0x00, 0x1B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x81, 0xD9, 0x80, 0x00, 0x05], [0x81, 0xA2, 0x61, 0x61, 0x00, 0x61, 0x61, 0x00],
            [0x81, 0x62, 0xC3, 0x28], [0x82, 0x3B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xF5],
        ]
        var noise = SeededGenerator(seed: 7)
        for _ in 0..<60 {
            var bytes = good.arguments
            bytes[Int.random(in: bytes.indices, using: &noise)] = UInt8.random(in: 0...255, using: &noise)
            samples.append(bytes)
        }
        for name in OperationTable.names {
            for bytes in samples {
                let call = VaultCall(operation: name, arguments: bytes, secrets: good.secrets)
                // None of the samples is the whole of any change.
                do throws(VaultError) {
                    _ = try await Loopback(vault: vault).answer(call)
                } catch {
                    #expect(try Loopback.carried(error) == error)
                }
            }
        }
        await #expect(throws: VaultError.malformedCall) {
            try await Loopback(vault: vault).answer(
                VaultCall(operation: "message.encrypt", arguments: good.arguments, secrets: [])
            )
        }
    }

    @Test(arguments: [CallValue.unsigned(1 << 62), .unsigned(UInt64(Int.max)), .negative(0), .unsigned(3)])
    func `a number of secrets that are not there is refused before memory is taken for them`(
        count: CallValue
    ) async throws {
        let vault = try await vault()
        let good = try Operations.tryCredentials.call(CredentialBatch(), CredentialImportRules())
        guard case .list(var arguments) = try CallValue(encoded: good.arguments),
            case .map(var batch) = arguments[0], case .list(var contents) = batch["contents"],
            !contents.isEmpty
        else { throw VaultError.malformedCall }
        contents[0] = count
        batch["contents"] = .list(contents)
        arguments[0] = .map(batch)
        let call = VaultCall(
            operation: good.operation,
            arguments: CallValue.list(arguments).encoded,
            secrets: []
        )
        await #expect(throws: VaultError.secret(.malformed)) {
            try await Loopback(vault: vault).answer(call)
        }
    }

    @Test func `an answer that is none is an error`() async throws {
        struct Liar: VaultCarrier {
            let bytes: [UInt8]
            func carry(_ call: VaultCall) async throws -> VaultAnswer {
                VaultAnswer(result: bytes, secrets: [])
            }
        }
        for bytes: [UInt8] in [[], [0x80], [0xF6, 0xF6], [0x81, 0xA0], [0x63, 0x61]] {
            let service = CarriedService(Liar(bytes: bytes))
            await #expect(throws: VaultError.malformedCall) { try await service(Operations.identity) }
            await #expect(throws: VaultError.malformedCall) { try await service(Operations.exportKey, "bob") }
        }
    }

    @Test func `the subject is a name, and short`() async throws {
        let key = try Secret(copying: Array("a secret text".utf8))
        #expect(Operations.encrypt.request(key, "bob").summary == "bob")
        let long = String(repeating: "é", count: 200)
        let cut = Operations.removeContact.request(long).summary
        #expect(cut.utf8.count <= 256)
        #expect(cut.hasSuffix("…"))
        #expect(Operations.moveCredential.request("a", "b").summary == "a +1")
        #expect(Operations.moveCredential.request("a", "a").policy.subjects == ["a"])
        #expect(Operations.revocationNotice.request().policy.subjects == [""])
        let peer = try PeerID(publicKey: [UInt8](repeating: 1, count: 32))
        #expect(
            Operations.importKey.request(LegacyImport(key: key, peerID: peer, alias: "carol")).summary
                == "carol"
        )
    }

    @Test(arguments: [(Caller.own, true), (.other, false)])
    func `that a host was seen is written down for hsip alone`(caller: Caller, isNoted: Bool) async throws {
        let store = MemoryStore(entropy: .system, now: { 1_800_000_000_000 })
        let key = try PrivateKey.ed25519(entropy: .system).publicKey
        let name = try HostName(host: "a")
        _ = try await Vault(store: store, clock: { 1_800_000_000 })
            .trustHostKeys([key], for: name, source: .compared)
        let later = Vault(store: store, clock: { 1_800_900_000 })
        let before = try await later.hostKeys(for: name).map(\.lastSeen)
        let call = try OperationTable.prepare(try Operations.checkHostKey.call(key, name, true))
        _ = try await call.answer(on: later, for: caller)
        #expect((try await later.hostKeys(for: name).map(\.lastSeen) != before) == isNoted)
    }

    @Test func `a secret is never written by a coder that does not know it`() throws {
        #expect(throws: (any Error).self) {
            try JSONEncoder().encode(try Secret(copying: [1, 2, 3]))
        }
    }

    @Test func `calls that were changed on the way are refused or done, never more`() async throws {
        let vault = try await vault()
        var noise = SeededGenerator(seed: 11)
        let key = try PrivateKey.ed25519(entropy: .seeded([1]))
        let fields = HostProfile.Fields(label: "", host: "db1", user: "root", authentication: "password")
        let calls = [
            try Operations.importSSHKeys.call([KeyImport(KeyRecord(key, origin: .openSSH), named: "work")]),
            try Operations.addSSHHosts.call([NewHost(name: "db1", fields: fields)]),
            try Operations.trustHostKeys.call([key.publicKey], try HostName(host: "db1"), .compared, true),
            try Operations.importKnownHosts.call(KnownHostsFile(Array("a b c\n".utf8)), .leave),
            try Operations.makeOffer.call(OfferRequest(), nil),
            try Operations.contacts.call(.trash),
        ]
        for call in calls {
            _ = try await Loopback(vault: vault).answer(call)
            for _ in 0..<150 {
                var bytes = call.arguments
                switch UInt8.random(in: 0...2, using: &noise) {
                case 0:
                    bytes[Int.random(in: bytes.indices, using: &noise)] = .random(in: 0...255, using: &noise)
                case 1: bytes.removeLast(Int.random(in: 1...bytes.count, using: &noise))
                default: bytes.insert(.random(in: 0...255, using: &noise), at: 0)
                }
                let changed = VaultCall(operation: call.operation, arguments: bytes, secrets: call.secrets)
                do throws(VaultError) {
                    _ = try await Loopback(vault: vault).answer(changed)
                } catch {
                    #expect(try Loopback.carried(error) == error)
                }
            }
        }
    }

    private static let peer = PeerID(bytes: [UInt8](repeating: 9, count: 32))
    private static let errors: [VaultError] = {
        var errors: [VaultError] = [
            .noIdentity, .identityExists, .notVerified, .unknownOperation, .malformedCall,
            .store(.unsafeFile(path: "/x", .owner(uid: 7))), .store(.tampered(.body(row: [1, 2]))),
            .store(.tampered(.recordSet(lane: 3))), .store(.invalidRecord(.repeatedID)),
            .store(
                .rollback(
                    found: Position(epoch: 1, generation: .max),
                    expected: Position(epoch: 2, generation: 0)
                )
            ),
            .store(.newerFormat(found: 2, supported: 1)), .store(.io(code: -5)), .store(.conflict),
            .store(.keyringRefused(code: .min)), .hsip(.codeFromFuture(seconds: .min)),
            .hsip(.rekeyRequired(code: nil)), .hsip(.restored(code: "OFFER1")), .hsip(.replayed),
            .hsip(.offerAlreadyUsed(by: nil)), .ssh(.unknownKey), .ssh(.format(.rsaTooShort(bits: 512))),
            .ssh(.format(.tooManyRounds(rounds: 3, limit: 2))), .ssh(.format(.unsupportedVersion(9))),
            .ssh(.format(.duplicateAlias(index: 4))),
        ]
        if let peer {
            errors += [
                .hsip(.identityChanged(old: peer, new: peer)), .hsip(.offerAlreadyUsed(by: peer)),
                .hsip(.nameCollision(existing: peer, new: peer)),
            ]
        }
        return errors
    }()

    @Test(arguments: errors)
    func `an error comes back whole`(error: VaultError) throws {
        #expect(try Loopback.carried(error) == error)
    }
}
