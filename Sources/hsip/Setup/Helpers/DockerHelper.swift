internal import Commands
internal import Presentation
internal import Secrets
internal import Setup
internal import System
internal import Text
internal import VaultCrypto
internal import VaultKit

/// `docker-credential-hsip get|store|erase|list`: logins of the vault for docker, podman and other clients that speak the
/// protocol of docker-credential-helpers.
///
/// A login is named `docker/` and the address as docker writes it, which is what `list` has to give back exactly.
struct DockerHelper {
    private static let folder = "docker/"
    private static let limit = 64 << 10

    private let context: Context

    init(_ context: Context) { self.context = context }

    func run(_ act: String) async throws -> Int32 {
        switch act {
        case "get": return try await get(try address())
        case "store": return try await store()
        case "erase": return try await erase(try address())
        case "list": return try await list()
        case "version":
            try context.output.line("docker-credential-hsip \(ProductVersion.text)")
            return 0
        default:
            try context.output.line("Usage: docker-credential-hsip <store|get|erase|list|version>")
            return 1
        }
    }

    /// The texts that docker compares (credentials/error.go).
    private enum Answer: String {
        case notFound = "credentials not found in native keychain"
        case noAddress = "no credentials server URL"
        case noUser = "no credentials username"
        case malformed = "malformed credentials"
    }

    private func refuse(_ answer: Answer) throws -> Int32 {
        try context.output.line(answer.rawValue)
        return 1
    }

    /// What stdin says, without the blanks around it.
    private func address() throws -> String {
        let bytes = try OwnFile.readSecret("-", limit: Self.limit).withBytes { $0.copied() }
        let text = String(validating: bytes, as: UTF8.self) ?? ""
        let start = text.drop { $0.isWhitespace }
        return String(start.prefix(start.count - start.reversed().prefix { $0.isWhitespace }.count))
    }

    private func get(_ address: String) async throws -> Int32 {
        guard !address.isEmpty else { return try refuse(.noAddress) }
        context.purpose = "for docker at \(context.output.display.cell(address))"
        let vault = try await context.openVault()
        let name = Self.folder + address
        let found: CredentialDetails
        do {
            found = try await vault(Operations.credential, name, .kept)
        } catch VaultError.secret(let reason) where [.unknownName, .inTrash, .badName].contains(reason) {
            return try refuse(.notFound)
        }
        guard found.summary.kind == .login, !found.summary.isExpired(at: UInt64(clamping: context.now)) else {
            return try refuse(.notFound)
        }
        let value = try await vault.credentialValue(CredentialReference(name)).settled().value
        guard JSONValue.isText(value) else { return try refuse(.malformed) }
        let answer: JSONValue = [
            "ServerURL": .text(address), "Username": .text(found.summary.user ?? ""),
            "Secret": .secret(value),
        ]
        try context.output.data(try JSONWriter.bytes(answer))
        try context.output.data([0x0A])
        return 0
    }

    private func store() async throws -> Int32 {
        let text = try OwnFile.readSecret("-", limit: Self.limit)
        guard let told = try DockerLogin(text) else { return try refuse(.malformed) }
        guard !told.address.isEmpty else { return try refuse(.noAddress) }
        guard !told.user.isEmpty else { return try refuse(.noUser) }
        var change = CredentialChange()
        change.kind = .login
        change.addedTags = ["docker"]
        change.expires = .never
        try change.put(told.secret)
        try change.put(told.user, in: CredentialField.user)
        try change.put(told.address, in: CredentialField.url)
        let vault = try await context.openVault()
        _ = try await vault(Operations.setCredential, Self.folder + told.address, change)
        return 0
    }

    private func erase(_ address: String) async throws -> Int32 {
        guard !address.isEmpty else { return try refuse(.noAddress) }
        do {
            let vault = try await context.openVault()
            _ = try await vault(Operations.removeCredential, Self.folder + address, .any)
        } catch VaultError.secret(let reason) where [.unknownName, .inTrash, .badName].contains(reason) {
            return try refuse(.notFound)
        }
        return 0
    }

    private func list() async throws -> Int32 {
        var query = CredentialQuery()
        query.kind = .login
        query.text = Self.folder
        let logins = try await context.openVault().credentials(query)
        let members = logins.filter { $0.name.hasPrefix(Self.folder) && $0.name.count > Self.folder.count }
            .map {
                JSONMember(String($0.name.dropFirst(Self.folder.count)), .text($0.user ?? ""))
            }
        try context.output.data(try JSONWriter.bytes(.object(members)))
        try context.output.data([0x0A])
        return 0
    }
}
