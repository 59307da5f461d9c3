import FileStore
import RecordStore
import VaultCrypto
import VaultKit

/// Seconds of Unix time.
typealias Clock = @Sendable () -> UInt64

/// A vault of somebody's own in an encrypted file.
func vault(of name: String, in folder: String, clock: @escaping Clock) async throws -> Vault {
    let recovery = try Secret(copying: Entropy.system.bytes(16))
    let paths = VaultPaths(vault: "\(folder)/\(name)/v.hsipvault", anchorFolder: "\(folder)/\(name)/state")
    let slots = [NewSlot(.recovery(recovery), label: "paper")]
    let store = try FileStore.create(at: paths, slots: slots, entropy: .system, now: { clock() * 1000 })
    let vault = Vault(store: store, clock: clock)
    _ = try await vault.service.createIdentity(name: name)
    return vault
}

/// Two people pair, and one writes to the other.
func firstProgram(in folder: String, clock: @escaping Clock) async throws -> Secret? {
    let alice = try await vault(of: "Alice", in: folder, clock: clock).service
    let bob = try await vault(of: "Bob", in: folder, clock: clock).service
    guard let offer = try await alice.makeOffer().code else { return nil }  // shown: offer.text, or a QR code
    guard let answer = try await bob.accept(offer).code else { return nil }  // taken; the answer is shown
    _ = try await alice.accept(answer)  // paired
    let text = try Secret(copying: Array("see you at eight".utf8))
    let message = try await alice.encrypt(text, to: "bob")  // goes through any chat
    return try await bob.decrypt(message.envelope).plaintext
}
