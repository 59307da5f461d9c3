internal import ArgumentParser
internal import LogCarriers
internal import Presentation
internal import SharedLog
internal import System
internal import Text
internal import VaultCrypto
internal import VaultKit
internal import VaultLifecycle

/// The options for this machine's login at etcd; the password is never on the command line.
struct EtcdLoginOptions: ParsableArguments {
    @Option(
        name: .customLong("ca"),
        help: ArgumentHelp("Trust servers with a certificate of this authority only.", valueName: "file"),
        completion: .file()
    )
    var authority: String?

    @Option(
        name: .customLong("cert"),
        help: ArgumentHelp("The certificate of this machine, if etcd wants one.", valueName: "file"),
        completion: .file()
    )
    var certificate: String?

    @Option(help: ArgumentHelp("The key of that certificate.", valueName: "file"), completion: .file())
    var key: String?

    @Option(help: ArgumentHelp("The user of etcd.", valueName: "name"))
    var user: String?

    @Option(
        name: .customLong("password-file"),
        help: ArgumentHelp("Read the user's password from this file.", valueName: "file"),
        completion: .file()
    )
    var passwordFile: String?

    /// True if any option is given.
    var isGiven: Bool { [authority, certificate, key, user, passwordFile].contains { $0 != nil } }

    /// The login for an address.
    ///
    /// The vault's login fills in the missing options. If the vault does not have one, a person is asked.
    ///
    /// - Throws: `inputNeeded` if no person can be asked; `usage`, `malformed`, `logRefused` for an incomplete login.
    func login(
        at address: CarrierAddress,
        _ context: Context,
        _ vault: any VaultService
    ) async throws -> LogLogin {
        guard (certificate == nil) == (key == nil) else {
            throw Failure.usage("--cert and --key go together")
        }
        let kept = try await vault(Operations.logLogin).flatMap { $0.address == address.text ? $0 : nil }
        if let kept, !isGiven { return kept }
        var login = kept ?? LogLogin(address: address.text)
        if let authority { login.authority = try Self.certificates(authority, context) }
        if let certificate, let key {
            login.certificate = try Self.file(certificate, context)
            login.key = try Self.file(key, context)
        }
        if let user = try user ?? newUser(kept, context) {
            (login.user, login.password) = (user, nil)
        }
        guard !login.user.isEmpty else {
            throw Failure(
                .logRefused,
                "a shared log in etcd needs a user for each machine; without users, anybody may write there",
                hint: "\(address.setupCommand) --print-etcd"
            )
        }
        if login.password == nil || passwordFile != nil {
            login.password = try password(of: login.user, context)
        }
        return login
    }

    /// Asks a person for the user; nil if the vault's login has a user.
    private func newUser(_ kept: LogLogin?, _ context: Context) throws -> String? {
        guard kept?.user.isEmpty ?? true else { return nil }
        guard passwordFile == nil else { throw Failure.usage("--password-file needs --user NAME") }
        return try context.terminal.ask("User of etcd", flag: "--user NAME")
    }

    private func password(of user: String, _ context: Context) throws -> Secret {
        let shown = context.output.display.cell(user)
        let password =
            if let passwordFile {
                try Self.naming(passwordFile, context) { () throws(ProgramError) in
                    try PassphraseFile.read(passwordFile)
                }
            } else {
                try context.terminal.askHidden(
                    "Password of \(shown) at etcd",
                    flag: "--password-file FILE"
                )
            }
        let secret = Secret(password)
        guard secret.count > 0 else { throw Failure(.malformed, "the password of \(shown) is empty") }
        do throws(CarrierError) {
            _ = try EtcdCredentials(user: user, password: secret)
        } catch {
            throw Failure(
                .malformed,
                "the user and the password of etcd have at most 1024 bytes each and no control characters"
            )
        }
        return secret
    }

    /// Reads a file; an error names the file.
    private static func naming<R: ~Copyable>(
        _ path: String,
        _ context: Context,
        _ body: () throws(ProgramError) -> R
    ) throws -> R {
        do throws(ProgramError) {
            return try body()
        } catch {
            var failure = Failure(error)
            failure.message = "\(context.output.display.text(path)): \(failure.message)"
            throw failure
        }
    }

    private static func certificates(_ path: String, _ context: Context) throws -> String {
        let bytes = try naming(path, context) { () throws(ProgramError) in
            try OwnFile.readKept(path, limit: LogLogin.authorityLimit)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard (try? EtcdCredentials(authority: text)) != nil else {
            throw Failure(.malformed, "\(context.output.display.text(path)) has no certificate in PEM form")
        }
        return text
    }

    private static func file(_ path: String, _ context: Context) throws -> String {
        let path = try AbsolutePath.of(path)
        guard Path.kind(path) == .file else {
            throw Failure(.notFound, "\(context.output.display.text(path)): no such file")
        }
        // curl would read the text after a colon as a password.
        let isPlain = path.unicodeScalars.allSatisfy {
            $0 != ":" && $0 != "\\" && $0.properties.generalCategory != .control
        }
        guard isPlain else {
            throw Failure(
                .malformed,
                "\(context.output.display.text(path)) has a colon, a backslash or a control character in its name"
            )
        }
        return path
    }
}

extension LogAddress {
    /// True if etcd keeps the log.
    var isEtcd: Bool { carrier == CarrierAddress.Kind.etcd.rawValue }
}

extension LogLogin {
    /// The login in the form of the carrier; nil if the login is for another address.
    func credentials(for place: LogAddress) throws -> EtcdCredentials? {
        guard address == place.text else { return nil }
        func given(_ text: String) -> String? { text.isEmpty ? nil : text }
        return try EtcdCredentials(
            authority: given(authority),
            certificate: given(certificate),
            key: given(key),
            user: given(user),
            password: password
        )
    }
}
