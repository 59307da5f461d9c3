internal import ArgumentParser
internal import Presentation
internal import SSHFormats
internal import VaultKit

/// `hsip ssh signers`.
struct SSHSigners: Command {
    static let path = "ssh signers"
    static let configuration = CommandConfiguration(
        commandName: "signers",
        abstract: "Print allowed_signers for git and ssh-keygen.",
        discussion: """
            Retired keys stay in the file, so that their signatures stay valid. The principal is \
            --principal, or each key's comment if it is one word, or the key's name. git shows the \
            principal as the signer.

              hsip ssh signers --principal me@example.org
              hsip ssh signers > ~/.config/hsip/allowed_signers
              git config gpg.ssh.allowedSignersFile ~/.config/hsip/allowed_signers
            """
    )

    @Option(help: ArgumentHelp("The owner of the keys, such as an email address.", valueName: "name"))
    var principal: String?

    func run(_ context: Context) async throws {
        let vault = try await context.openVault()
        let lines = try await vault.allowedSigners(principal: principal)
        if let principal, principal.contains(where: { "*?!".contains($0) }) {
            context.output.warn(
                Warning(
                    "signerForMany",
                    "the principal is a pattern: these keys sign for everyone who matches the pattern",
                    hint: "--principal me@example.org"
                )
            )
        }
        for line in lines { try context.output.line(line) }
        if lines.isEmpty { context.output.hint("hsip ssh key set NAME --sign git") }
        try context.output.succeed(["lines": .texts(lines)])
    }
}

extension VaultService {
    /// A line of allowed_signers for each key that signs.
    package func allowedSigners(principal: String? = nil) async throws -> [String] {
        let keys = try await self(Operations.sshKeys, .kept).filter {
            !$0.use.namespaces.isEmpty && $0.state != .aside
        }
        var lines: [String] = []
        for key in keys { lines.append(try Self.line(of: key, principal)) }
        return lines
    }

    private static func line(of key: KeySummary, _ principal: String?) throws(SSHFormatError) -> String {
        let signer = try AllowedSigner(
            principals: principals(of: key, principal),
            key: try PublicKey(blob: key.blob, comment: Array(key.name.utf8)),
            namespaces: Array(key.use.namespaces.joined(separator: ",").utf8)
        )
        return String(decoding: signer.line, as: UTF8.self)
    }

    /// The principal for a key: the given one, the key's comment if that is one plain word, or the key's name.
    private static func principals(of key: KeySummary, _ principal: String?) -> [UInt8] {
        if let principal { return Array(principal.utf8) }
        let refused = Array("\",*?!#".utf8)
        let isWord = key.comment.allSatisfy { (0x21...0x7E).contains($0) && !refused.contains($0) }
        return isWord && !key.comment.isEmpty ? key.comment : Array(key.name.utf8)
    }
}
