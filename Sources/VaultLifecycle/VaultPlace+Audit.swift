internal import FileStore

extension VaultPlace {
    /// The folder of the audit logs: `$XDG_STATE_HOME/hsip/audit`.
    package var auditFolder: String { paths.anchorFolder + "/audit" }
}
