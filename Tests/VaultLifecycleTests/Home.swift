import FileStore
import Foundation
import RecordStore
import System
import VaultCrypto

@testable import VaultLifecycle

/// A folder that stands for a home, with vaults in it.
final class Home {
    static let passphrase = "correct horse battery"

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

    static func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func locator(_ name: String? = nil) throws -> VaultLocator {
        let environment = Environment(variables)
        return VaultLocator(try VaultPlace(name, environment), environment)
    }

    func unlocker(_ name: String? = nil) throws -> VaultUnlocker { VaultUnlocker(try locator(name)) }

    /// Makes a vault that opens by the passphrase, with the cheapest derivation there is.
    @discardableResult
    func makeVault(recorded: Bool = true) throws -> VaultUnlocker {
        let secret = try Secret(copying: Array(Self.passphrase.utf8))
        let slot = NewSlot(.passphrase(secret), label: "passphrase", parameters: PasswordHash.floor)
        try makeStore(slot, recorded: recorded).lock()
        return try unlocker()
    }

    /// Makes a vault that opens by a slot.
    func makeStore(_ slot: NewSlot, recorded: Bool = true) throws -> FileStore {
        let locator = try locator()
        let store = try FileStore.create(
            at: locator.place.paths,
            slots: [slot],
            entropy: .system,
            now: SystemTime.milliseconds
        )
        if recorded {
            let record = VaultRecord(id: store.vaultID, path: locator.place.file)
            try locator.config.set(record, of: locator.place.key)
        }
        return store
    }

    func write(_ text: String, to name: String) throws -> String {
        let file = path + "/" + name
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        return file
    }

    /// Every file of it now, as a machine that loses its power at this moment finds them again.
    func copy() throws -> String {
        let copy = path + "-copy-" + UUID().uuidString
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        return copy
    }

    /// Puts a copy in its place, and takes the copy away.
    func putBack(_ copy: String) throws {
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: copy, toPath: path)
    }

    /// The names of the vaults' folder.
    func vaultFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/.local/share/hsip").sorted()
    }
}

/// A key slot without a costly derivation: a code of 16 equal bytes.
enum Code {
    static func unlock(_ byte: UInt8) throws -> Unlock {
        .recovery(try Secret(copying: [UInt8](repeating: byte, count: 16)))
    }

    static func slot(_ byte: UInt8) throws -> NewSlot { NewSlot(try unlock(byte), label: "paper") }
}

/// Does something before one step, or fails there as a store does.
struct Stumble: VaultLifecycle.Progress {
    let step: LifecycleStep
    var fault: StoreError?
    var act: () -> Void = {}

    func during<R, E: Error>(_ step: LifecycleStep, _ body: () throws(E) -> R) throws(E) -> R {
        if step == self.step {
            act()
            if let error = fault as? E { throw error }
        }
        return try body()
    }
}
