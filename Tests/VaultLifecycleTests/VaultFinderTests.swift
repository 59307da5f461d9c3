import FileStore
import Foundation
import LocalState
import Programs
import RecordStore
import Testing
import VaultCrypto
import VaultKit

@testable import VaultLifecycle

/// Finding and opening a vault without anybody to talk to.
@Suite struct VaultFinderTests {
    private static let passphrase = "correct horse battery"

    /// A folder that stands for a home, with a vault in it.
    private final class Home {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        var variables: [String: String]

        init() throws {
            variables = ["HOME": path]
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func finder(_ name: String? = nil) throws -> VaultFinder {
            let environment = Environment(variables)
            return VaultFinder(try VaultPlace(name, environment), environment)
        }

        /// Makes a vault, with the cheapest derivation there is.
        @discardableResult
        func makeVault(recorded: Bool = true) throws -> VaultFinder {
            let finder = try self.finder()
            let secret = Secret(try SecretBytes(copying: Array(VaultFinderTests.passphrase.utf8)))
            let slot = NewSlot(.passphrase(secret), label: "passphrase", parameters: PasswordHash.floor)
            let store = try FileStore.create(
                at: finder.place.paths,
                slots: [slot],
                entropy: .system,
                now: SystemTime.milliseconds
            )
            if recorded {
                let record = VaultRecord(id: store.vaultID, path: finder.place.file)
                try finder.config.set(record, of: finder.place.key)
            }
            store.lock()
            return finder
        }

        func write(_ text: String, to name: String) throws -> String {
            let file = path + "/" + name
            try text.write(toFile: file, atomically: false, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            return file
        }
    }

    private func secret(_ text: String) throws -> Secret { try Secret(copying: Array(text.utf8)) }

    @Test func `a passphrase opens the recorded vault`() throws {
        let home = try Home()
        defer { withExtendedLifetime(home) {} }
        let finder = try home.makeVault()
        let opened = try finder.open(typed: try secret(Self.passphrase), now: 0)
        #expect(opened.store.vaultID == (try finder.find().vaultID))
        opened.lock()
        #expect(throws: (any Error).self) { try opened.store.position() }
    }

    @Test func `a wrong passphrase is a slip that may be tried again`() throws {
        let home = try Home()
        defer { withExtendedLifetime(home) {} }
        let finder = try home.makeVault()
        #expect(throws: OpeningError.store(.wrongSecret)) {
            try finder.open(typed: try secret("something else"), now: 0)
        }
    }

    @Test func `without anything at hand somebody has to be asked`() throws {
        let home = try Home()
        defer { withExtendedLifetime(home) {} }
        #expect(try home.makeVault().openUnattended(now: 0) == nil)
    }

    @Test func `a credential of the unit opens it`() throws {
        let home = try Home()
        defer { withExtendedLifetime(home) {} }
        try home.makeVault()
        _ = try home.write("\(Self.passphrase)\nanother line\n", to: "hsip.passphrase")
        home.variables["CREDENTIALS_DIRECTORY"] = home.path
        #expect(try home.finder().openUnattended(now: 0) != nil)
    }

    @Test(arguments: ["wrong one", ""])
    func `a credential that does not serve is an error and no reason to ask`(text: String) throws {
        let home = try Home()
        defer { withExtendedLifetime(home) {} }
        try home.makeVault()
        _ = try home.write("\(text)\n", to: "hsip.passphrase")
        home.variables["CREDENTIALS_DIRECTORY"] = home.path
        let finder = try home.finder()
        #expect(throws: OpeningError.self) { try finder.openUnattended(now: 0) }
    }

    @Test func `a vault that was not recorded is not opened`() throws {
        let home = try Home()
        defer { withExtendedLifetime(home) {} }
        let finder = try home.makeVault(recorded: false)
        #expect(throws: OpeningError.misplaced(.unrecorded(file: finder.place.file))) { try finder.find() }
    }

    @Test func `another vault in the place of the recorded one is not opened`() throws {
        let home = try Home()
        defer { withExtendedLifetime(home) {} }
        let finder = try home.makeVault()
        let other = VaultRecord(id: [UInt8](repeating: 7, count: 16), path: finder.place.file)
        try finder.config.set(other, of: finder.place.key)
        #expect(throws: OpeningError.misplaced(.exchanged(file: finder.place.file))) {
            try finder.open(typed: try secret(Self.passphrase), now: 0)
        }
    }

    @Test func `a file that is gone is no new, empty vault`() throws {
        let home = try Home()
        defer { withExtendedLifetime(home) {} }
        let finder = try home.makeVault()
        try FileManager.default.removeItem(atPath: finder.place.file)
        #expect(throws: OpeningError.misplaced(.missing(file: finder.place.file))) { try finder.find() }
    }

    @Test(arguments: ["", ".hidden"]) func `a bad name is refused`(name: String) throws {
        let home = try Home()
        defer { withExtendedLifetime(home) {} }
        #expect(throws: OpeningError.badName) { try home.finder(name) }
    }

    @Test func `without a home there is no place`() {
        #expect(throws: OpeningError.noHome) { try VaultPlace(nil, Environment(["HOME": "relative"])) }
    }
}
