internal import VaultCrypto

/// The name of a record that a repair has found, with its label.
package struct SalvagedName: Equatable, Sendable {
    /// Kind and name.
    package let id: RecordID
    /// Text for people; empty for most kinds.
    package let label: String

    /// A record by its name.
    package init(_ id: RecordID, label: String = "") {
        self.id = id
        self.label = label
    }
}

/// A row that was found by its shape, and the result of checking its tags.
///
/// Any bytes may have the right shape. The row is a record only if its meta opens, kind and name give its id, and its
/// body opens with its revision.
package struct FoundRow: Sendable {
    /// The place where a row was found.
    package enum Origin: Equatable, Sendable {
        /// In the damaged file or its log, at a place that only the finder understands.
        case damaged(place: UInt64)
        /// In a backup, by its number.
        case backup(Int)
    }

    /// The key of the row.
    package let id: RowID
    /// The row's summand of the lane's sum; known even if the row does not open.
    package let element: Element
    /// Kind and name; nil if the meta does not open.
    package let name: SalvagedName?
    /// The commit that wrote the row; 0 if the meta does not open.
    package let revision: Revision
    /// Whether the body opens, too.
    package let isWhole: Bool
    /// The place where the row was found.
    package let origin: Origin
    /// Whether the row is in a place that only completed commits write; an aborted transaction may have written other
    /// rows.
    package let isCommitted: Bool

    /// A row that was judged by its tags.
    package init(
        id: RowID,
        element: Element,
        name: SalvagedName?,
        revision: Revision,
        isWhole: Bool,
        origin: Origin,
        isCommitted: Bool = true
    ) {
        self.id = id
        self.element = element
        self.name = name
        self.revision = revision
        self.isWhole = isWhole
        self.origin = origin
        self.isCommitted = isCommitted
    }

    /// Whether the row comes from a backup.
    package var isFromBackup: Bool { if case .backup = origin { true } else { false } }
}

/// Judges rows by their tags, without trusting the place where they were found.
package struct RowAppraisal: ~Copyable {
    private var codec: RecordCodec

    /// Judges the rows of one vault key.
    package init(keys: VaultKeys) throws(StoreError) {
        codec = try RecordCodec(keys: keys)
    }

    /// The info of a row's record; nil if the meta does not open or belongs to another row.
    ///
    /// The row may come without its body.
    package mutating func info(_ row: SealedRow) throws(StoreError) -> RecordInfo? {
        do throws(StoreError) {
            return try codec.openMeta(row, head: .ofAnyTime)
        } catch .tampered {
            return nil
        } catch .newerRecord {
            return nil
        }
    }

    /// Whether the body was written with this revision.
    package func isBodyGenuine(_ row: SealedRow, revision: Revision) throws(StoreError) -> Bool {
        do throws(StoreError) {
            _ = try codec.openBody(row, revision: revision)
            return true
        } catch .tampered {
            return false
        } catch .corrupt {
            return false
        }
    }

    /// The row's summand of the lane's sum; nil if the seal has another size than 80.
    package mutating func element(of row: SealedRow) throws(StoreError) -> Element? {
        try codec.element(of: row)
    }
}

extension HeadContent {
    /// A head that no record is newer than, for rows that are judged without their head.
    static var ofAnyTime: HeadContent {
        var head = HeadContent(slotDigest: [])
        head.generation = .max
        return head
    }
}
