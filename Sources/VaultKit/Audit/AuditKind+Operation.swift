extension AuditKind {
    /// What an operation of the vault is in the log; nil for one that only looks.
    public init?(_ operation: String, _ touch: Touch) {
        switch touch {
        case .look: return nil
        case .use: self = .use
        case .reveal: self = .read
        case .change: self = operation.hasPrefix("rule.") ? .rule : .change
        case .trust: self = Self.replacing.contains(operation) ? .replace : .trust
        }
    }

    /// Operations that put another key in the place of one that was believed.
    private static let replacing: Set<String> = ["host-keys.replace", "contact.trust-new-key"]
}
