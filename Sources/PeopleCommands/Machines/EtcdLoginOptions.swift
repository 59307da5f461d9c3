internal import ArgumentParser
internal import CommandKit
internal import Console
internal import LogCarriers
internal import Programs
internal import SafeText
internal import SharedLog
internal import VaultCrypto
internal import VaultKit
internal import VaultLifecycle

/// How this machine logs in to etcd; the password never comes from the command line.
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

    /// Whether there is any.
    var isGiven: Bool { [authority, certificate, key, user, passwordFile].contains { $0 != nil } }

    /// The login for an address.
    ///
    /// The vault's login fills in the missing options. If the vault has none, a person is asked.
    ///
    /// - Throws: `inputNeeded` if nobody can be asked.
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
            guard passwordFile == nil else { throw Failure.usage("--password-file needs --user NAME") }
            return login
        }
        if login.password == nil || passwordFile != nil {
            login.password = try password(of: login.user, context)
        }
        return login
    }

    /// The user, asked for; nil if the vault has a login, or the certificate of this machine is enough.
    private func newUser(_ kept: LogLogin?, _ context: Context) throws -> String? {
        guard kept == nil, certificate == nil else { return nil }
        return try context.terminal.ask("User of etcd", flag: "--user NAME")
    }

    private func password(of user: String, _ context: Context) throws -> Secret {
        let shown = context.output.display.cell(user)
        let password =
            if let passwordFile {
                try Self.firstLine(passwordFile, context)
            } else {
                try context.terminal.askHidden(
                    "Password of \(shown) at etcd",
                    flag: "--password-file FILE"
                )
            }
        let secret = Secret(password)
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

    private static func firstLine(_ path: String, _ context: Context) throws -> SecretBytes {
        do throws(ProgramError) {
            return try PassphraseFile.read(path)
        } catch {
            var failure = Failures.explain(error)
            failure.message = "\(context.output.display.text(path)): \(failure.message)"
            throw failure
        }
    }

    private static func certificates(_ path: String, _ context: Context) throws -> String {
        let bytes = try OwnFile.readKept(path, limit: LogLogin.authorityLimit)
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
        // curl reads a password behind a colon.
        guard !path.contains(":"), !path.contains("\\") else {
            throw Failure(.malformed, "\(context.output.display.text(path)) has a colon or a backslash")
        }
        return path
    }
}

extension LogAddress {
    /// Whether etcd keeps the log.
    var isEtcd: Bool { carrier == CarrierAddress.Kind.etcd.rawValue }
}

extension LogLogin {
    /// What the carrier gets; nil for another address than the login is for.
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
