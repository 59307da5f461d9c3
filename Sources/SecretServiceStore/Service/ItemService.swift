package import RecordStore
package import VaultCrypto

/// What the store asks of a Secret Service: items with attributes, found by them.
///
/// `SecretService` answers over D-Bus; tests put one in its place that fails on command. Every call waits, at
/// most as long as its patience allows.
package protocol ItemService: AnyObject, Sendable {
    /// Items of every collection that have all of these attributes.
    func find(_ attributes: [String: String]) throws(StoreError) -> FoundItems

    /// Lends the secrets of unlocked items, one by one in no order, from one call; items that are gone by now
    /// are left out.
    func eachSecret(
        of items: [ItemPath],
        _ visit: (ItemPath, RawSpan) throws(StoreError) -> Void
    ) throws(StoreError)

    /// What the items say besides their secrets, in the order asked for; items that are gone are left out.
    func facts(of items: [ItemPath]) throws(StoreError) -> [ItemFacts]

    /// Makes an item, never in the place of another one.
    func create(_ draft: ItemDraft, in collection: String) throws(StoreError) -> ItemPath

    /// Replaces the secret of an item, in one call.
    func setSecret(_ secret: Secret, of item: ItemPath) throws(StoreError)

    /// Replaces label and attributes of an item, in two calls.
    func describe(_ item: ItemPath, label: String, attributes: [String: String]) throws(StoreError)

    /// Removes an item; one that is gone is fine.
    func delete(_ item: ItemPath) throws(StoreError)

    /// Unlocks items or collections, asking a person where that is allowed.
    ///
    /// - Throws: `keyringLocked` when nobody may be asked, `promptDismissed`, `keyringTimeout`.
    func unlock(_ paths: [String]) throws(StoreError)
}
