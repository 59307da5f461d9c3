internal import Commands
internal import Presentation
internal import Secrets
internal import Setup
internal import Text
internal import VaultCrypto
internal import VaultKit

/// `git-credential-hsip get|store|erase`: logins of the vault for git.
///
/// It prints nothing where there is nothing to say; git then asks its user.
struct GitHelper {
    private static let refresh = "oauth_refresh_token"
    /// The tag of logins that git stored.
    private static let tag = "git"

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
        let logins = try await logins(query, of: asked.username, vault)
        return logins.filter { Self.serves($0, url.scheme) }
    }

    private static func serves(_ login: CredentialSummary, _ asked: String?) -> Bool {
        let scheme = login.url.flatMap { CredentialURL($0) }?.scheme
        return asked == "https" ? scheme == nil || scheme == "https" : scheme == asked
    }

    /// Logins of a user, nil for any.
    ///
    /// An empty name is a user of its own, as for git's own helpers.
    private func logins(
        _ query: CredentialQuery,
        of user: String?,
        _ vault: any VaultService
    ) async throws -> [CredentialSummary] {
        var query = query
        query.user = user == "" ? nil : user
        let logins = try await vault.credentials(query)
        guard user == "" else { return logins }
        var empty: [CredentialSummary] = []
        for login in logins where login.user == nil {
            if try await hasEmptyUser(vault(Operations.credential, login.name, .kept), vault) {
                empty.append(login)
            }
        }
        return empty
    }

    /// Whether a login has the field `user` with nothing in it: lists do not show such a user.
    private func hasEmptyUser(_ details: CredentialDetails, _ vault: any VaultService) async throws -> Bool {
        let summary = details.summary
        guard summary.user == nil, summary.tags.contains(Self.tag),
            details.fields.contains(CredentialField.user)
        else { return false }
        let user = CredentialReference(summary.name, field: CredentialField.user)
        return try await vault.credentialValues([user]).first?.value.count == 0
    }

    private func get(_ asked: GitAttributes) async throws {
        guard let host = asked.url?.host else { return }
        context.purpose = "for git at \(context.output.display.cell(host))"
        let vault = try await context.openVault()
        for login in try await logins(asked, vault) {
            let details = try await vault(Operations.credential, login.name, .kept)
            var user = login.user ?? asked.username
            if user == nil, try await hasEmptyUser(details, vault) { user = "" }
            guard let user else { continue }
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
            $0.url.flatMap { CredentialURL($0) }?.path == url.path && ($0.user ?? "") == user
        }
        guard let same else { return try await add(told, url, user, password, vault) }
        // What came from here and is as it was needs no new version.
        var change = CredentialChange()
        if let end = told.expiry { change.expires = .at(end) }
        if let token = told.refreshToken { try change.put(token, in: Self.refresh) }
        change.condition = .holds(field: nil, password)
        do {
            _ = try await vault(Operations.setCredential, same.name, change)
        } catch VaultError.secret(.changedMeanwhile) {
            try change.put(password)
            change.condition = .present
            change.expires = told.expiry.map { .at($0) } ?? .never
            if told.refreshToken == nil { change.dropped = [Self.refresh] }
            _ = try await vault(Operations.setCredential, same.name, change)
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
        change.addedTags = [Self.tag]
        try change.put(password)
        try change.put(user, in: CredentialField.user)
        try change.put(url.shown, in: CredentialField.url)
        if let token = told.refreshToken { try change.put(token, in: Self.refresh) }
        if let end = told.expiry { change.expires = .at(end) }
        let place = "git/\(url.host)" + (url.path.isEmpty ? "" : "/\(url.path)")
        let named = user.isEmpty ? place : "\(place) \(user)"
        let names = [place, named] + (2...9).map { "\(named) \($0)" }
        for name in names {
            do {
                _ = try await vault(Operations.setCredential, name, change)
                return
            } catch VaultError.secret(.nameTaken) {
                continue
            }
        }
        throw VaultError.secret(.nameTaken)
    }

    /// With a password only the login that has it goes: git erases what a server refused.
    ///
    /// Without one all that the words name go: `git credential reject` is how git is told to forget a host or a user.
    private func erase(_ told: GitAttributes) async throws {
        guard let url = told.url, told.password != nil || !told.hasOtherCredential else { return }
        let vault = try await context.openVault()
        let logins = try await told.password == nil ? within(url, told, vault) : logins(told, vault)
        for login in logins {
            do {
                let condition = told.password.map { CredentialCondition.holds(field: nil, $0) } ?? .present
                _ = try await vault(Operations.removeCredential, login.name, condition)
            } catch VaultError.secret(.changedMeanwhile), VaultError.secret(.unknownName) {
                continue
            }
        }
    }

    /// Logins of an address and of what is below it; one of a folder above serves other addresses too, and is not among them.
    private func within(
        _ url: CredentialURL,
        _ told: GitAttributes,
        _ vault: any VaultService
    ) async throws -> [CredentialSummary] {
        var query = CredentialQuery()
        query.kind = .login
        return try await logins(query, of: told.username, vault).filter { login in
            guard let place = login.url.flatMap({ CredentialURL($0) }) else { return false }
            return Self.serves(login, url.scheme) && url.score(for: place) != nil
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
