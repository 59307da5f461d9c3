package import Console

/// Whether the audit log is there as it was written.
package enum AuditCheck {
    /// What is found when its check failed with `failure`; nil stands for a check that did not fail.
    package static func finding(_ failure: Failure?) -> Finding {
        guard let failure else {
            return .fine(.audit, "no entry of the audit log is missing or changed")
        }
        return .problem(.audit, failure, reason: "what happened with the vault cannot be told for certain")
    }
}
