package import Presentation

/// Whether the audit log is there as it was written.
package enum AuditCheck {
    /// What is found when its check failed with `failure`; nil stands for a check that did not fail.
    package static func finding(_ failure: Failure?) -> Finding {
        guard let failure else {
            return .fine(.audit, "the audit log is complete and unchanged")
        }
        return .problem(.audit, failure, reason: "the audit log is not reliable")
    }
}
