internal import RecordStore
internal import VaultCrypto

extension Shelf {
    /// The header and its item.
    ///
    /// - Throws: `notFound`; `tampered(.head)` when it is not one, or not one alone; `newerFormat`.
    func header() throws(StoreError) -> (path: ItemPath, header: KeyringHeader) {
        try Self.header(in: paths(codec.query(ItemNames.headerSchema)), service, codec)
    }

    /// The header that one of these items is.
    static func header(
        in paths: [ItemPath],
        _ service: any ItemService,
        _ codec: ItemCodec
    ) throws(StoreError) -> (path: ItemPath, header: KeyringHeader) {
        var found: [(path: ItemPath, header: KeyringHeader)] = []
        var isOdd = false
        try eachSecret(of: paths, service, codec) { path, secret throws(StoreError) in
            // An item without a secret was never finished.
            guard secret.byteCount > 0 else { return }
            guard secret.byteCount <= KeyringHeader.longest,
                let header = try KeyringHeader(secret.copied()), Hex.encode(header.vaultID) == codec.vault
            else {
                // Another program's, if there is a whole one beside it.
                isOdd = true
                return
            }
            found.append((path, header))
        }
        guard let first = found.first else { throw isOdd ? .tampered(.head) : .notFound }
        guard found.count == 1 else { throw .tampered(.head) }
        return first
    }

    /// Finds that the vault is still there, before somebody is told that a record is not.
    ///
    /// - Throws: `notFound`; `busy` when it is there as another one.
    func stillHolds(_ known: Known) throws(StoreError) {
        guard try !paths(codec.query(ItemNames.headerSchema)).contains(known.headerPath) else { return }
        guard try header().header == known.header else { throw .busy }
    }

    /// Makes the header's item.
    func make(_ header: KeyringHeader, named name: String) throws(StoreError) -> ItemPath {
        var attributes = codec.query(ItemNames.headerSchema)
        attributes[ItemNames.name] = name
        let secret = try Self.secret(header.encoded)
        let path = try service.create(
            ItemDraft(label: "HSIP vault \(name)", attributes: attributes, secret: secret),
            in: collection
        )
        try confirm(secret, at: path)
        return path
    }

    /// Replaces the header.
    func replace(_ header: KeyringHeader, at path: ItemPath) throws(StoreError) {
        let secret = try Self.secret(header.encoded)
        try service.setSecret(secret, of: path)
        try confirm(secret, at: path)
    }

    /// Finds that a secret arrived as it was sent.
    ///
    /// - Throws: `commitUnknown` when the item holds another one, or is gone.
    func confirm(_ secret: Secret, at path: ItemPath) throws(StoreError) {
        guard try holds(secret, at: path) else { throw .commitUnknown }
    }

    /// Whether an item holds a secret.
    func holds(_ secret: Secret, at path: ItemPath) throws(StoreError) -> Bool {
        var isEqual = false
        try eachSecret(of: [path]) { found, bytes throws(StoreError) in
            if found == path { isEqual = ConstantTime.equal(bytes, secret) }
        }
        return isEqual
    }

    static func secret(_ text: [UInt8]) throws(StoreError) -> Secret {
        do { return try Secret(copying: text) } catch { throw StoreError(error) }
    }
}
