package import RecordStore
package import VaultCrypto

/// The operations of a Secret Service that the store needs: items, found by their attributes.
///
/// `SecretService` implements them over D-Bus; tests use a service that fails on command. Every call blocks until the
/// service answers or the timeout expires.
package protocol ItemService: AnyObject, Sendable {
    /// Whether acknowledged changes survive a kill of the service.
    func isDurable() throws(StoreError) -> Bool

    /// Finds the items of every collection that have all of these attributes.
    func find(_ attributes: [String: String]) throws(StoreError) -> FoundItems

    /// Visits the secrets of unlocked items one by one, in no order, with as few calls as their length
    /// allows; missing and locked items are left out.
    func eachSecret(
        of items: [ItemPath],
        _ visit: (ItemPath, RawSpan) throws(StoreError) -> Void
    ) throws(StoreError)

    /// Reads the label, attributes and times of items, in the order of the request; missing items are left out.
    func facts(of items: [ItemPath]) throws(StoreError) -> [ItemFacts]

    /// Makes a new item, and never replaces another one.
    ///
    /// - Throws: `invalidRecord(.body)` for a secret above 40 MiB, `noSuchCollection`, `keyringLocked`.
    func create(_ draft: ItemDraft, in collection: String) throws(StoreError) -> ItemPath

    /// Replaces the secret of an item in one call; for a secret that becomes long, an earlier call marks the
    /// item.
    ///
    /// - Throws: `invalidRecord(.body)` for a secret above 40 MiB, `notFound`, `keyringLocked`.
    func setSecret(_ secret: Secret, of item: ItemPath) throws(StoreError)

    /// Replaces label and attributes of an item, in two calls.
    ///
    /// - Throws: `notFound`, `keyringLocked`.
    func describe(_ item: ItemPath, label: String, attributes: [String: String]) throws(StoreError)

    /// Removes an item; succeeds if the item is already missing.
    func delete(_ item: ItemPath) throws(StoreError)

    /// Unlocks items or collections, and asks a person if that is allowed.
    ///
    /// - Throws: `keyringLocked` if no person may be asked, `promptDismissed`, `keyringTimeout`.
    func unlock(_ paths: [String]) throws(StoreError)
}

/// The D-Bus object path of an item: the path of its collection, a slash, and one more part.
package typealias ItemPath = String

/// Items that a search found.
package struct FoundItems: Equatable, Sendable {
    /// Items whose secrets can be read.
    package var unlocked: [ItemPath]
    /// Items that must be unlocked first.
    package var locked: [ItemPath]

    package init(unlocked: [ItemPath] = [], locked: [ItemPath] = []) {
        self.unlocked = unlocked
        self.locked = locked
    }
}

/// The content of a new item.
package struct ItemDraft: Sendable {
    /// The label for people.
    package var label: String
    /// The attributes for searches, `xdg:schema` included.
    package var attributes: [String: String]
    /// The secret: text, or any bytes.
    package var secret: Secret
    /// The content type of the secret; nil for `text/plain` if the secret is text, else
    /// `application/octet-stream`.
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

/// An item without its secret.
package struct ItemFacts: Equatable, Sendable {
    /// The object path of the item.
    package let path: ItemPath
    /// The label for people.
    package let label: String
    /// The attributes; a provider may have added some.
    package let attributes: [String: String]
    /// Creation time, Unix seconds, as the provider reports it.
    package let created: UInt64
    /// Time of the last change, Unix seconds, as the provider reports it.
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

/// The rules for items with long secrets, which are read alone.
///
/// GNOME Keyring ends as if it crashed when one of its responses exceeds 64 MiB (the longest array of D-Bus). The length of
/// a secret is unknown before it is read, so items with long secrets have a mark.
enum LargeItems {
    /// The attribute of items with a long secret; its value is `1`.
    static let mark = "hsip:large"
    /// Secrets above this many bytes are long.
    static let bound = 64 << 10
    /// The longest secret that is sent to a service, in bytes: it and the longest record fit into one response.
    static let longest = 40 << 20
    /// The size that a response should not exceed, in bytes.
    private static let answer = 32 << 20

    /// The attributes of an item with a secret of `count` bytes: a long secret adds the mark.
    static func mark(_ attributes: [String: String], if count: Int) -> [String: String] {
        count > bound ? attributes.merging([mark: "1"]) { $1 } : attributes
    }

    /// The new attributes, with the mark if the old attributes have it.
    static func keepMark(of old: [String: String], in new: [String: String]) -> [String: String] {
        old[mark] == nil ? new : new.merging([mark: "1"]) { $1 }
    }

    /// Returns how many items to read next: twice as many as before, but at most 512.
    ///
    /// Other programs set no marks, so the number also shrinks until items as long as the longest so far fit.
    static func next(after count: Int, longest: Int) -> Int {
        min(count * 2, 512, max(answer / max(longest, 1), 1))
    }
}
