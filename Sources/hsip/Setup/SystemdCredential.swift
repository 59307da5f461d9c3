internal import ArgumentParser
internal import Commands
internal import FileStore
internal import Glibc
internal import Presentation
internal import RecordStore
internal import System
internal import VaultCrypto
internal import VaultLifecycle

/// A key slot whose key file only systemd can decrypt: it gives the key to the agent's unit as the credential `hsip.key`.
struct SystemdCredential {
    /// The name of the slot.
    private static let label = "systemd"
    /// The name of the credential.
    private static let name = "hsip.key"
    /// The first version that encrypts credentials for users.
    private static let forUsers = 256
    /// Bytes of an encrypted credential that are kept.
    private static let limit = 64 << 10

    private let context: Context
    private let place: VaultPlace
    private let unit: String

    /// The credential of the agent's unit with this name.
    init(_ context: Context, _ place: VaultPlace, unit: String) {
        (self.context, self.place, self.unit) = (context, place, unit)
    }

    /// The encrypted credential, beside the configuration.
    var path: String { "\(Path.folder(of: place.configPath))/\(unit).cred" }

    /// Whether it was made.
    var isThere: Bool { Path.isFile(path) }

    /// The name of the settings that give it to the unit, below the folder of the user's units.
    var dropIn: String { "\(unit).service.d/credential.conf" }

    /// Whether these settings are there.
    var isSetUp: Bool { Path.exists("\(place.unitFolder)/\(dropIn)") }

    /// Name and text of the settings.
    ///
    /// - Throws: `unavailable` for a path that cannot be named in a unit.
    func settings() throws -> (name: String, text: String) {
        let special = "\"\\%$:'".unicodeScalars
        let isPlain = path.unicodeScalars.allSatisfy { $0.value > 0x20 && !special.contains($0) }
        guard isPlain else {
            throw Failure(
                .unavailable,
                "\(context.path(path).shown) has characters with a special meaning for systemd",
                hint: "hsip vault slot add tpm2 --no-pin"
            )
        }
        return (dropIn, "[Service]\nLoadCredentialEncrypted=\(Self.name):\(path)\n")
    }

    /// Makes the key, its slot and the encrypted credential; the slot that it made before gives way.
    ///
    /// The slot comes before the file: a slot that nothing opens does no harm, and the next run replaces it.
    func make() throws {
        let program = try encryption()
        let opened = try SlotMaking.open(context)
        let mine = try opened.store.slots().filter { $0.kind == .keyFile }
        let old = mine.first { $0.label == Self.label }
        guard old != nil || mine.count < Keyslots.maximumOfAKind else { throw StoreError.slotLimit }
        let key = Secret(try Entropy.system.secret(KeyFile.secretSize))
        let credential = try encrypted(Secret(try KeyFile.text(of: key)), by: program)
        let act = old.map { KeySlots.Act.replace($0.number) } ?? .add
        let number = try KeySlots(of: opened.store, opened.secret, showing: context)
            .write(NewSlot(.keyFile(key), label: Self.label), act) {}
        try OwnFile.writeKept(credential, to: path, mode: 0o600)
        let slot = try SlotGroup.find("\(number)", in: try opened.store.slots())
        try SlotGroup.show(slot, old.map { "replaces slot \($0.number)" } ?? "added", context)
        context.output.note("every program of yours opens the vault through the agent from now on")
    }

    /// Removes the encrypted credential; the slot stays, and opens by nothing any more.
    func forget() {
        guard isThere, unsafe unlink(path) == 0 else { return }
        _ = unsafe rmdir("\(place.unitFolder)/\(Path.folder(of: dropIn))")
        context.output.hint("hsip vault slot rm keyfile  removes the slot of the credential")
    }

    private struct Encryption {
        let program: String
        let words: [String]
    }

    /// How systemd encrypts credentials here.
    ///
    /// - Throws: `unavailable` without a systemd that does it for this user.
    private func encryption() throws -> Encryption {
        let way = "hsip vault slot add tpm2 --no-pin"
        guard let program = ChildProcess.find("systemd-creds", in: context.environment) else {
            throw Failure(.unavailable, "systemd-creds is not installed", hint: way)
        }
        let words = ["encrypt", "--name=\(Self.name)"]
        guard geteuid() != 0 else { return Encryption(program: program, words: words) }
        var process = ChildProcess(path: program)
        process.arguments = ["--version"]
        let said = try String(decoding: process.run().output, as: UTF8.self)
        let number = said.split(separator: " ").dropFirst().first?.prefix { $0.isNumber }
        let version = number.flatMap { Int($0) } ?? 0
        guard version >= Self.forUsers else {
            throw Failure(
                .unavailable,
                "systemd \(version) encrypts credentials for root alone; \(Self.forUsers) does so for users",
                hint: way
            )
        }
        return Encryption(program: program, words: words + ["--user"])
    }

    /// The credential as systemd encrypts it; the key goes to it by a pipe.
    private func encrypted(_ key: Secret, by encryption: Encryption) throws -> [UInt8] {
        var process = ChildProcess(path: encryption.program)
        process.arguments = encryption.words + ["-", "-"]
        process.environment = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8"]
        process.secretInput = key
        process.limit = Self.limit
        process.seconds = 60
        let (status, output) = try process.run()
        guard status == 0, !output.isEmpty else {
            throw Failure(
                .unavailable,
                "systemd-creds did not encrypt the key (exit \(status))",
                hint: "systemd-creds encrypt --name=test - -"
            )
        }
        return output
    }
}
