internal import ArgumentParser
internal import Console
internal import SSHFormats
internal import VaultCrypto
internal import VaultKit

/// `hsip ssh key export NAME`.
struct SSHKeyExport: Command {
    static let path = "ssh key export"
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a key to a file with a new passphrase, or print its public half.",
        discussion: """
            The file gets mode 0600 and replaces none. Without a passphrase anybody who reads the file has the key: \
            that is asked for by typing the key's name.

              hsip ssh key export work --public
              hsip ssh key export work -o id_work
              hsip ssh key export work --format pkcs8 -o work.pem
              hsip ssh key export ci --no-passphrase --expect ci -o id_ci
            """
    )

    @Argument(help: "The key, by name or fingerprint.")
    var name: String

    @Flag(name: .customLong("public"), help: "The public half, in one line.")
    var isPublic = false

    @Option(help: ArgumentHelp("openssh or pkcs8; with --public openssh or rfc4716.", valueName: "form"))
    var format = "openssh"

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write to a file of mode 0600.", valueName: "file")
    )
    var output: String?

    @Flag(help: "Replace the file if it is there.")
    var force = false

    @Flag(name: .customLong("stdout"), help: "Print the private key to standard output.")
    var toStdout = false

    @Option(
        name: .customLong("new-passphrase-file"),
        help: ArgumentHelp(
            "The passphrase for the file: the first line of a file of yours.",
            valueName: "file"
        )
    )
    var passphraseFile: String?

    @Flag(name: .customLong("no-passphrase"), help: "In the open.")
    var isOpen = false

    @Option(help: ArgumentHelp("The key's name, to go with --no-passphrase.", valueName: "name"))
    var expect: String?

    @Flag(help: "One that was removed.")
    var trash = false

    func run(_ context: Context) async throws {
        try checkWords(context)
        try NewFile.check(output, replaces: force)
        let vault = try await context.openVault()
        let known = try await KeyNames(context, vault).resolve(name, exactly: !isPublic, inTrash: trash)
        let (key, record) = try await vault.sshKey(known.name)
        if isPublic {
            try exportPublic(key, record.publicKey, context)
        } else {
            try exportPrivate(key, record.key, context)
        }
    }

    private func checkWords(_ context: Context) throws {
        let forms = isPublic ? ["openssh", "rfc4716"] : KeyExport.Format.allCases.map(\.rawValue)
        guard forms.contains(format) else {
            throw Failure(.usage, code: "usage", message: "--format takes \(forms.joined(separator: " or "))")
        }
        let isSecret = isOpen || passphraseFile != nil || toStdout || expect != nil
        guard !isPublic || !isSecret else {
            throw Failure(.usage, code: "usage", message: "--public goes with no word about private keys")
        }
        guard !isOpen || passphraseFile == nil else {
            throw Failure(
                .usage,
                code: "usage",
                message: "--no-passphrase and --new-passphrase-file exclude each other"
            )
        }
        guard output == nil || !toStdout else {
            throw Failure(.usage, code: "usage", message: "one place to write to, please")
        }
        guard isPublic || output != nil else {
            guard !context.isJSON else { throw ConsoleError.inputNeeded(flag: "-o FILE") }
            guard toStdout || !context.surroundings.outputIsTerminal else {
                throw Failure(
                    .usage,
                    code: "usage",
                    message: "a private key is not shown on a terminal by accident",
                    hint: "-o FILE, or --stdout"
                )
            }
            return
        }
    }

    private func exportPublic(_ key: KeySummary, _ publicKey: PublicKey, _ context: Context) throws {
        let text = format == "rfc4716" ? publicKey.rfc4716 : publicKey.line + [0x0A]
        if let output {
            try OwnFile.write(text, to: output, force: force)
        } else {
            try context.output.data(text)
        }
        try succeed(key, isEncrypted: nil, context)
    }

    private func exportPrivate(_ key: KeySummary, _ privateKey: PrivateKey, _ context: Context) throws {
        guard let format = KeyExport.Format(rawValue: format) else { return }
        let passphrase = try passphrase(for: key, context)
        if output == nil, !toStdout {
            guard try context.agrees("Write the private key \(key.name) to standard output?") else {
                throw ConsoleError.refused
            }
        }
        let text = try KeyExport.text(of: privateKey, as: format, passphrase: passphrase, context)
        if let output {
            try OwnFile.write(text, to: output, force: force)
        } else {
            try context.output.data(text)
        }
        try succeed(key, isEncrypted: passphrase != nil, context)
    }

    /// The new passphrase; nil for none, which has to be said by the key's name.
    private func passphrase(for key: KeySummary, _ context: Context) throws -> Secret? {
        if let passphraseFile { return try context.keyPassphrase(from: passphraseFile) }
        if isOpen {
            let isMeant =
                if let expect { expect == key.name } else {
                    try context.terminal.typeIt(
                        "Without a passphrase. To go on, type the name of the key:",
                        expected: key.name,
                        flag: "--expect \(ShellWord.quoted(key.name))"
                    )
                }
            guard isMeant else { throw ConsoleError.refused }
            return nil
        }
        let typed = try context.terminal.askTwice(
            "New passphrase for the file",
            again: "The same again",
            flag: "--new-passphrase-file"
        )
        guard typed.count > 0 else {
            throw Failure(
                .denied,
                code: "denied",
                message: "an empty passphrase is none",
                hint: "--no-passphrase"
            )
        }
        return Secret(typed)
    }

    private func succeed(_ key: KeySummary, isEncrypted: Bool?, _ context: Context) throws {
        try context.output.succeed([
            "name": .text(key.name), "fingerprint": .text(key.fingerprint), "format": .text(format),
            "public": .bool(isPublic), "encrypted": isEncrypted.map { .bool($0) } ?? .null,
            "file": .optional(output),
            "publicKey": .optional(
                isPublic ? key.line.flatMap { String(validating: $0, as: UTF8.self) } : nil
            ),
        ])
    }
}
