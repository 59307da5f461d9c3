/// The rows that a commit writes, worked out before anything is written.
///
/// An adapter writes all of it in one transaction, or under one compare-and-swap of the head, and then tells
/// the `Sealer` with `adopt` or `forget`.
package struct CommitPlan: Sendable {
    /// Rows that must not be there yet: one that is there was planted.
    package internal(set) var inserts: [SealedRow] = []
    /// Rows that must be there.
    package internal(set) var updates: [SealedRow] = []
    /// Rows that must be there and go.
    package internal(set) var deletes: [RowID] = []
    /// The slots as they will be; nil when they do not change.
    package internal(set) var slots: Keyslots?
    /// The new head.
    package let head: HeadRow
    /// The number of this commit.
    package var generation: UInt64 { content.generation }
    /// The anchor of the new head.
    package var anchor: AnchorText { AnchorText(head, content) }
    /// What the head says.
    let content: HeadContent
    /// Elements that change, for the remembered maps.
    var edits: [(id: RowID, element: Element?)] = []

    init(head: HeadRow, content: HeadContent) {
        self.head = head
        self.content = content
    }

    /// The same head under another vault id or key.
    package func head(under sealer: Sealer) throws(StoreError) -> HeadRow {
        try HeadRow(
            content,
            vaultID: sealer.vaultID,
            epoch: sealer.epoch,
            keys: sealer.keys,
            entropy: sealer.entropy
        )
    }
}
