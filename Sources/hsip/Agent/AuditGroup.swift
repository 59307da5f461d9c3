internal import ArgumentParser

/// `hsip audit`: what happened with the vault.
struct AuditGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "What happened with the vault: who, what, when, and whether it was allowed.",
        subcommands: [AuditList.self, AuditVerify.self],
        defaultSubcommand: AuditList.self
    )
}
