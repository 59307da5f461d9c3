package import RecordStore
package import VaultCrypto

/// What the store asks of a Secret Service: items with attributes, found by them.
///
/// `SecretService` answers over D-Bus; tests put one in its place that fails on command. Every call waits, at
/// most as long as its patience allows.
package protocol ItemService: AnyObject, Sendable {
    /// Whether what the service has acknowledged survives its being killed.
    func isDurable() throws(StoreError) -> Bool

    /// Items of every collection that have all of these attributes.
    func find(_ attributes: [String: String]) throws(StoreError) -> FoundItems

    /// Visits the secrets of unlocked items, one by one in no order, from as few calls as their length allows;
    /// items that are gone by now, or locked, are left out.
    func eachSecret(
        of items: [ItemPath],
        _ visit: (ItemPath, RawSpan) throws(StoreError) -> Void
    ) throws(StoreError)

    /// What the items say besides their secrets, in the order asked for; items that are gone are left out.
    func facts(of items: [ItemPath]) throws(StoreError) -> [ItemFacts]

    /// Makes an item, never in the place of another one.
    ///
    /// - Throws: `invalidRecord(.body)` for a secret above 40 MiB, `noSuchCollection`, `keyringLocked`.
    func create(_ draft: ItemDraft, in collection: String) throws(StoreError) -> ItemPath

    /// Replaces the secret of an item, in one call; one before it marks an item that becomes long.
    ///
    /// - Throws: `invalidRecord(.body)` for a secret above 40 MiB, `notFound`, `keyringLocked`.
    func setSecret(_ secret: Secret, of item: ItemPath) throws(StoreError)

    /// Replaces label and attributes of an item, in two calls.
    ///
    /// - Throws: `notFound`, `keyringLocked`.
    func describe(_ item: ItemPath, label: String, attributes: [String: String]) throws(StoreError)

    /// Removes an item; one that is gone is fine.
    func delete(_ item: ItemPath) throws(StoreError)

    /// Unlocks items or collections, asking a person where that is allowed.
    ///
    /// - Throws: `keyringLocked` when no one may be asked, `promptDismissed`, `keyringTimeout`.
    func unlock(_ paths: [String]) throws(StoreError)
}

/// The D-Bus object path of an item: the path of its collection, a slash, and one part more.
package typealias ItemPath = String

/// Items that a search found.
package struct FoundItems: Equatable, Sendable {
    /// Those whose secrets can be read.
    package var unlocked: [ItemPath]
    /// Those that must be unlocked first.
    package var locked: [ItemPath]

    package init(unlocked: [ItemPath] = [], locked: [ItemPath] = []) {
        self.unlocked = unlocked
        self.locked = locked
    }
}

/// An item to be made.
package struct ItemDraft: Sendable {
    /// Its name for people.
    package var label: String
    /// What it is found by, `xdg:schema` included.
    package var attributes: [String: String]
    /// Its secret: text, or any bytes.
    package var secret: Secret
    /// The content type of the secret; nil for `text/plain` or `application/octet-stream`, by what it is.
    package var contentType: String?

    package init(
        label: String,
        attributes: [String: String],
        secret: Secret,
        contentType: String? = nil
    ) {
        self.contentType = contentType
        self.label = label
        self.attributes = attributes
        self.secret = secret
    }
}

/// What an item says besides its secret.
package struct ItemFacts: Equatable, Sendable {
    /// Where it is.
    package let path: ItemPath
    /// Its name for people.
    package let label: String
    /// Its attributes; a provider may have added some of its own.
    package let attributes: [String: String]
    /// When it was made, in seconds of Unix time, as the provider says.
    package let created: UInt64
    /// When it was changed last, in seconds of Unix time, as the provider says.
    package let modified: UInt64

    package init(
        path: ItemPath,
        label: String,
        attributes: [String: String],
        created: UInt64,
        modified: UInt64
    ) {
        self.path = path
        self.label = label
        self.attributes = attributes
        self.created = created
        self.modified = modified
    }
}
