import FileStore
import Foundation
import RecordStore
import SecretServiceStore
import System
import Testing
import VaultCrypto
import VaultKit

@testable import VaultLifecycle

/// Finding and opening a vault without anybody to talk to.
@Suite struct VaultUnlockerTests {
    private static let passphrase = Home.passphrase

    private func secret(_ text: String) throws -> Secret { try Secret(copying: Array(text.utf8)) }

    @Test func `a passphrase opens the recorded vault`() throws {
        let home = try Home()
        defer { withExtendedLifetime(home) {} }
        let unlocker = try home.makeVault()
        let opened = try unlocker.open(typed: try secret(Self.passphrase), now: 0)
        #expect(opened.store.vaultID == (try unlocker.locator.find().vaultID))
        opened.lock()
        #expect(throws: (any Error).self) { try opened.store.position() }
    }

    @Test func `a wrong passphrase is a slip that may be tried again`() throws {
        let home = try Home()
        defer { withExtendedLifetime(home) {} }
        let unlocker = try home.makeVault()
        #expect(throws: OpeningError.store(.wrongSecret)) {
            try unlocker.open(typed: try secret("something else"), now: 0)
        }
    }

    /// A person who types one line after the other, and hears of each slip.
    private final class Person: SecretSource {
        let isNamed: Bool
        let option: String?
        private var lines: [String]
        private(set) var attempts: [Int] = []
        private(set) var slips: [StoreError] = []

        init(_ lines: [String], isNamed: Bool = false, option: String? = nil) {
            self.lines = lines
            self.isNamed = isNamed
            self.option = option
        }

        func secret(attempt: Int) throws(OpeningError) -> SecretBytes {
            attempts.append(attempt)
            guard !lines.isEmpty, let line = try? SecretBytes(copying: Array(lines.removeFirst().utf8)) else {
                throw .file(.refused)
            }
            return line
        }

        func tell(slip: StoreError) { slips.append(slip) }
    }

    private static let mistypedCode = "0000-0000-0000-0000-0000-0000-0001"

    @Test func `a person has three tries, and hears of each slip`() throws {
        let home = try Home()
        defer { withExtendedLifetime(home) {} }
        let person = Person(["something else", Self.mistypedCode, Self.passphrase])
        try home.makeVault().open(by: person, .script, now: 0).lock()
        #expect(person.attempts == [1, 2, 3])
        #expect(person.slips == [.wrongSecret, .mistyped])
    }

    @Test func `after the third slip no one is asked again`() throws {
        let home = try Home()
        defer { withExtendedLifetime(home) {} }
        let person = Person(["one", "two", "three", Self.passphrase])
        #expect(throws: OpeningError.store(.wrongSecret)) {
            try home.makeVault().open(by: person, .script, now: 0)
        }
        #expect(person.attempts == [1, 2, 3] && person.slips.count == 2)
    }

    @Test func `a person who says no is not asked again`() throws {
        let home = try Home()
        defer { withExtendedLifetime(home) {} }
        let person = Person(["something else"])
        #expect(throws: OpeningError.file(.refused)) {
            try home.makeVault().open(by: person, .script, now: 0)
        }
        #expect(person.attempts == [1, 2])
    }

    @Test func `a secret that was named is tried once`() throws {
        let home = try Home()
        defer { withExtendedLifetime(home) {} }
        let file = Person(["something else", Self.passphrase], isNamed: true)
        #expect(throws: OpeningError.store(.wrongSecret)) {
            try home.makeVault().open(by: file, .script, now: 0)
        }
        #expect(file.attempts == [1] && file.slips.isEmpty)
    }

    @Test func `an option that names a secret is refused for a vault in the keyring`() throws {
        let home = try Home()
        defer { withExtendedLifetime(home) {} }
        let unlocker = try home.unlocker()
        let record = VaultRecord(id: [UInt8](repeating: 7, count: 16), collection: "/c", label: "Login")
        let file = Person([Self.passphrase], isNamed: true, option: "--passphrase-file")
        #expect(throws: OpeningError.needlessSecret(option: "--passphrase-file")) {
            try unlocker.open(.keyring(record), by: file, .script, now: 0)
        }
        #expect(file.attempts.isEmpty)
    }

    @Test(arguments: [#"one more line"#, ""]) func `the first line of a file opens it`(rest: String) throws {
        let home = try Home()
        defer { withExtendedLifetime(home) {} }
        let file = try home.write("\(Self.passphrase)\n\(rest)", to: "passphrase")
        let opened = try home.makeVault().open(by: NamedSecret(.file(file)), .script, now: 0)
        opened.lock()
    }

    @Test func `a descriptor that is not open is a wrong word of the caller`() {
        #expect(throws: OpeningError.closedDescriptor(-1)) {
            let secret = try NamedSecret(.descriptor(-1)).secret()
            _ = consume secret
        }
    }

    @Test func `without anything at hand someone has to be asked`() throws {
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
        #expect(try home.unlocker().openUnattended(now: 0) != nil)
    }

    @Test func `a key file among the credentials opens it, before a passphrase`() throws {
        let home = try Home()
        defer { withExtendedLifetime(home) {} }
        let unlocker = try home.makeVault()
        let key = try Secret(copying: [UInt8](1...32))
        let text = try KeyFile.text(of: key)
        let words = text.withBytes { String(decoding: $0.copied(), as: UTF8.self) }
        _ = try home.write(words, to: "hsip.key")
        _ = try home.write("\(Self.passphrase)\n", to: "hsip.passphrase")
        home.variables["CREDENTIALS_DIRECTORY"] = home.path
        // No slot has it yet.
        let early = try home.unlocker()
        #expect(throws: OpeningError.store(.noSuchSlot)) { try early.openUnattended(now: 0) }
        let typed = Unlock.passphrase(try Secret(copying: Array(Self.passphrase.utf8)))
        _ = try unlocker.open(with: typed).addSlot(NewSlot(.keyFile(key), label: "systemd"), unlock: typed)
        #expect(try home.unlocker().openUnattended(now: 0) != nil)
    }

    @Test(arguments: ["HSIP-KEYFILE-1 00", "HSIP-KEYFILE-2 " + String(repeating: "0", count: 64), "words"])
    func `a credential that is no key file says so`(text: String) throws {
        let home = try Home()
        defer { withExtendedLifetime(home) {} }
        try home.makeVault()
        _ = try home.write("\(text)\n", to: "hsip.key")
        home.variables["CREDENTIALS_DIRECTORY"] = home.path
        let unlocker = try home.unlocker()
        #expect(throws: OpeningError.secretFile(path: home.path + "/hsip.key", .unsafeFile(.notAKey))) {
            try unlocker.openUnattended(now: 0)
        }
    }

    @Test(arguments: ["wrong one", ""])
    func `a credential that does not serve is an error and no reason to ask`(text: String) throws {
        let home = try Home()
        defer { withExtendedLifetime(home) {} }
        try home.makeVault()
        _ = try home.write("\(text)\n", to: "hsip.passphrase")
        home.variables["CREDENTIALS_DIRECTORY"] = home.path
        let unlocker = try home.unlocker()
        #expect(throws: OpeningError.self) { try unlocker.openUnattended(now: 0) }
    }

    @Test func `a vault that was not recorded is not opened`() throws {
        let home = try Home()
        defer { withExtendedLifetime(home) {} }
        let unlocker = try home.makeVault(recorded: false)
        #expect(throws: OpeningError.misplaced(.unrecorded(file: unlocker.locator.place.file))) {
            try unlocker.locator.find()
        }
    }

    @Test func `another vault in the place of the recorded one is not opened`() throws {
        let home = try Home()
        defer { withExtendedLifetime(home) {} }
        let unlocker = try home.makeVault()
        let other = VaultRecord(id: [UInt8](repeating: 7, count: 16), path: unlocker.locator.place.file)
        try unlocker.locator.config.set(other, of: unlocker.locator.place.key)
        #expect(throws: OpeningError.misplaced(.exchanged(file: unlocker.locator.place.file))) {
            try unlocker.open(typed: try secret(Self.passphrase), now: 0)
        }
    }

    @Test func `a file that is gone is no new, empty vault`() throws {
        let home = try Home()
        defer { withExtendedLifetime(home) {} }
        let unlocker = try home.makeVault()
        try FileManager.default.removeItem(atPath: unlocker.locator.place.file)
        #expect(throws: OpeningError.misplaced(.missing(file: unlocker.locator.place.file))) {
            try unlocker.locator.find()
        }
    }

    @Test(arguments: ["", ".hidden"]) func `a bad name is refused`(name: String) throws {
        let home = try Home()
        defer { withExtendedLifetime(home) {} }
        #expect(throws: OpeningError.badName) { try home.unlocker(name) }
    }

    @Test func `without a home there is no place`() {
        #expect(throws: OpeningError.noHome) { try VaultPlace(nil, Environment(["HOME": "relative"])) }
    }
}
