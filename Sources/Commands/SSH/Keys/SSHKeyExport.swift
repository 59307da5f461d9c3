internal import ArgumentParser
internal import Presentation
internal import SSHFormats
internal import System
internal import VaultCrypto
internal import VaultKit

/// `hsip ssh key export NAME`.
struct SSHKeyExport: Command {
    static let path = "ssh key export"
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export a key under a new passphrase, or its public half.",
        discussion: """
            Without a passphrase, anyone who reads the file has the key.

              hsip ssh key export work -o id_work
            """
    )

    @Argument(help: "The key, by name or fingerprint.", completion: .keys)
    var name: String?

    @Flag(help: "Export every key to a folder.")
    var all = false

    @Flag(name: .customLong("public"), help: "Print the public half on one line.")
    var isPublic = false

    @Flag(help: "Print the key's certificates, one per line.")
    var certificates = false

    @Option(help: ArgumentHelp("openssh or pkcs8; with --public: openssh or rfc4716.", valueName: "form"))
    var format: String?

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "The file; - is stdout; with --all, a folder.",
            valueName: "path"
        )
    )
    var output: String?

    @Flag(help: "Replace the file if it exists.")
    var force = false

    @Flag(name: .customLong("stdout"), help: "Print the private key to standard output.")
    var toStdout = false

    @OptionGroup(title: "Passphrase")
    var passphrase: NewPassphraseOptions

    @Flag(help: "Show one from the trash.")
    var trash = false

    mutating func validate() throws { output = NewFile.named(output) }

    func run(_ context: Context) async throws {
        try checkWords(context)
        guard let name else { return try await exportAll(context) }
        try NewFile.check(output, replaces: force)
        let vault = try await context.openVault()
        let isOpen = isPublic || certificates
        let known = try await KeyNames(context, vault).resolve(name, exactly: !isOpen, inTrash: trash)
        guard isOpen else {
            return try await exportPrivate(known, vault, context)
        }
        let half = try await vault(Operations.sshPublicHalf, known.name)
        guard isPublic else { return try exportCertificates(half, context) }
        try write(form == "rfc4716" ? half.publicKey.rfc4716 : half.publicKey.line.oneLine, context)
        try succeed(half.summary, isEncrypted: nil, context)
    }

    private func exportCertificates(_ half: PublicHalf, _ context: Context) throws {
        let key = half.summary
        guard !half.certificates.isEmpty else {
            throw Failure(
                .noCertificate,
                "\(key.name) has no certificate",
                hint: "hsip ssh key import FILE-cert.pub"
            )
        }
        let lines = half.certificates.map(\.line)
        try write(lines.flatMap(\.oneLine), context)
        try succeed(key, isEncrypted: nil, certificates: lines, context)
    }

    /// Exports the private half; asks all questions first, so that a key that must stay is not even read.
    private func exportPrivate(_ key: KeySummary, _ vault: any VaultService, _ context: Context) async throws
    {
        guard let format = KeyExport.Format(rawValue: form) else { return }
        let secret = try passphrase.secret(expecting: key.name, named: "the name of the key", context)
        if output == nil, !toStdout {
            guard try context.agrees("Write the private key \(key.name) to standard output?") else {
                throw ConsoleError.refused
            }
        }
        try KeyExport.check(format, isEncrypted: secret != nil, context)
        let privateKey = try await vault.sshKey(key.name).record.key
        try write(try KeyExport.text(of: privateKey, as: format, passphrase: secret, context), context)
        try succeed(key, isEncrypted: secret != nil, context)
    }

    private func exportAll(_ context: Context) async throws {
        guard let format = KeyExport.Format(rawValue: form), let output else { return }
        let vault = try await context.openVault()
        let keys = try await vault(Operations.sshKeys, .kept)
        let folder = KeyFolder(output, replaces: force)
        try folder.check(keys)
        let count = String(keys.count)
        let secret = try passphrase.secret(expecting: count, named: "the number of keys", context)
        if keys.contains(where: { $0.state != .aside && !$0.algorithm.isSecurityKey }) {
            try KeyExport.check(format, isEncrypted: secret != nil, context)
        }
        try folder.make()
        var table = Table([Column("key"), Column("file", .left, .whole)])
        var files: [JSONValue] = []
        for key in keys {
            let (_, record) = try await vault.sshKey(key.name)
            let file = try folder.write(key.name, record, as: format, passphrase: secret, context)
            table.add([Cell(key.name), context.path(file)])
            files.append([
                "name": .text(key.name), "fingerprint": .text(key.fingerprint), "file": .text(file),
                "encrypted": .bool(secret != nil),
            ])
        }
        try context.output.table(table)
        try context.output.succeed(["folder": .text(output), "keys": .list(files)])
    }

    private func write(_ text: borrowing some ByteSource & ~Copyable, _ context: Context) throws {
        if let output {
            try OwnFile.write(text, to: output, force: force)
        } else {
            try context.output.data(text)
        }
    }

    private func succeed(
        _ key: KeySummary,
        isEncrypted: Bool?,
        certificates: [[UInt8]] = [],
        _ context: Context
    ) throws {
        try context.output.succeed([
            "name": .text(key.name), "fingerprint": .text(key.fingerprint), "format": .text(form),
            "public": .bool(isPublic), "encrypted": isEncrypted.map { .bool($0) } ?? .null,
            "file": .optional(output),
            "publicKey": .optional(
                isPublic ? key.line.flatMap { String(validating: $0, as: UTF8.self) } : nil
            ),
            "certificates": .texts(certificates.map { String(decoding: $0, as: UTF8.self) }),
        ])
    }
}
