internal import CommandKit
internal import Console
internal import Credentials
internal import SafeText
internal import SystemSetup
internal import VaultCrypto
internal import VaultKit

/// `git-credential-hsip get|store|erase`: logins of the vault for git.
///
/// It prints nothing where there is nothing to say; git then asks its user.
struct GitHelper {
    private static let refresh = "oauth_refresh_token"

    private let context: Context

    init(_ context: Context) { self.context = context }

    func run(_ act: String) async throws -> Int32 {
        switch act {
        case "get": try await get(try GitAttributes())
        case "store": try await store(try GitAttributes())
        case "erase": try await erase(try GitAttributes())
        // gitcredentials(7): an unknown operation is ignored.
        default: break
        }
        return 0
    }

    /// The logins that serve an address, the best first.
    ///
    /// Over plain http only what was stored for it: a password for https never goes out in the clear.
    private func logins(_ asked: GitAttributes, _ vault: any VaultService) async throws -> [CredentialSummary]
    {
        guard let url = asked.url else { return [] }
        var query = CredentialQuery()
        query.kind = .login
        query.url = url
        query.user = asked.username
        return try await vault.credentials(query).filter { login in
            let scheme = login.url.flatMap { CredentialURL($0) }?.scheme
            return url.scheme == "https" ? scheme == nil || scheme == "https" : scheme == url.scheme
        }
    }

    private func get(_ asked: GitAttributes) async throws {
        guard let host = asked.url?.host else { return }
        context.purpose = "for git at \(context.output.display.cell(host))"
        let vault = try await context.openVault()
        for login in try await logins(asked, vault) {
            guard let user = login.user ?? asked.username else { continue }
            let details = try await vault.credential(login.name)
            let isExpired = login.isExpired(at: UInt64(clamping: context.now))
            let hasToken = details.fields.contains(Self.refresh)
            guard !isExpired || hasToken else { continue }
            var wanted = isExpired ? [] : [CredentialReference(login.name)]
            if hasToken { wanted.append(CredentialReference(login.name, field: Self.refresh)) }
            let values = try await vault.credentialValues(wanted)
            // A line is a line: what has another one in it cannot be said to git.
            guard Self.isLine(Array(user.utf8)), values.allSatisfy({ Self.isLine($0.value) }) else {
                continue
            }
            return try answer(login, user, values)
        }
    }

    private func answer(_ login: CredentialSummary, _ user: String, _ values: [CredentialValue]) throws {
        var pieces: [any ByteSource] = [Array("username=\(user)\n".utf8)]
        for value in values {
            let name = value.reference.field == Self.refresh ? Self.refresh : "password"
            pieces += [Array("\(name)=".utf8), value.value, [0x0A] as [UInt8]] as [any ByteSource]
            if name == "password", let end = login.expires {
                pieces.append(Array("password_expiry_utc=\(end)\n".utf8))
            }
        }
        try context.output.data(try SecretBytes.joined(pieces))
    }

    private func store(_ told: GitAttributes) async throws {
        guard let url = told.url, let user = told.username, let password = told.password else { return }
        let vault = try await context.openVault()
        let same = try await logins(told, vault).first {
            $0.url.flatMap { CredentialURL($0) }?.path == url.path && $0.user == user
        }
        guard let same else { return try await add(told, url, user, password, vault) }
        // What came from here and is as it was needs no new version.
        var change = CredentialChange()
        if let end = told.expiry { change.expires = .at(end) }
        if let token = told.refreshToken { try change.put(token, in: Self.refresh) }
        change.condition = .holds(field: nil, password)
        do {
            try await vault.setCredential(same.name, change)
        } catch VaultError.secret(.changedMeanwhile) {
            try change.put(password)
            change.condition = .present
            change.expires = told.expiry.map { .at($0) } ?? .never
            if told.refreshToken == nil { change.dropped = [Self.refresh] }
            try await vault.setCredential(same.name, change)
        } catch VaultError.secret(.noFields) {
            return
        }
    }

    /// A login under a name that is free: `git/HOST`, and with the user after it where that is another login's.
    private func add(
        _ told: GitAttributes,
        _ url: CredentialURL,
        _ user: String,
        _ password: Secret,
        _ vault: any VaultService
    ) async throws {
        var change = CredentialChange()
        change.kind = .login
        change.condition = .absent
        change.addedTags = ["git"]
        try change.put(password)
        try change.put(user, in: CredentialField.user)
        try change.put(url.shown, in: CredentialField.url)
        if let token = told.refreshToken { try change.put(token, in: Self.refresh) }
        if let end = told.expiry { change.expires = .at(end) }
        let place = "git/\(url.host)" + (url.path.isEmpty ? "" : "/\(url.path)")
        let names = [place, "\(place) \(user)"] + (2...9).map { "\(place) \(user) \($0)" }
        for name in names {
            do {
                try await vault.setCredential(name, change)
                return
            } catch VaultError.secret(.nameTaken) {
                continue
            }
        }
        throw VaultError.secret(.nameTaken)
    }

    /// Only who knows the password takes it away: git erases what a server refused.
    private func erase(_ told: GitAttributes) async throws {
        guard told.url != nil, let password = told.password else { return }
        let vault = try await context.openVault()
        for login in try await logins(told, vault) {
            do {
                try await vault.removeCredential(login.name, .holds(field: nil, password))
            } catch VaultError.secret(.changedMeanwhile), VaultError.secret(.unknownName) {
                continue
            }
        }
    }

    /// Git takes a carriage return before a line feed for a part of the line's end.
    private static func isLine(_ value: borrowing some ByteSource & ~Copyable) -> Bool {
        value.withBytes { span in
            (0..<span.byteCount).allSatisfy { span.byte(at: $0) != 0x0A && span.byte(at: $0) != 0 }
                && (span.byteCount == 0 || span.byte(at: span.byteCount - 1) != 0x0D)
        }
    }
}
