internal import Secrets
internal import MessageBus
internal import VaultCrypto
internal import VaultKit

/// Methods that find items and give out their values.
extension Front {
    /// Paths of one call at most.
    static let maximumPaths = 10_000
    /// Bytes of all values in one answer.
    static let longestAnswer = 8 << 20

    /// Held until the vault is open: an empty answer would make a program store a new key over the one that it has.
    func search(_ call: BusMessage, in collection: String?, _ client: Client) throws {
        try want(call, "a{ss}")
        guard let wanted = try Self.wanted(call) else {
            return bus.answer(call) { reply in
                reply.put(paths: [])
                if collection == nil { reply.put(paths: []) }
            }
        }
        let search = ItemSearch(wanted, in: collection)
        work(call, for: client) { vault in
            try await vault.opened { try await $0(Operations.itemSearch, search) }
        } _: { [self] matches in
            var open = matches.open.map(Self.path)
            if collection == nil { open += try sessionItems(search.attributes, of: client) }
            let asked = matches.asked.map(Self.path)
            bus.answer(call) { reply in
                guard collection == nil else { return reply.put(paths: open + asked) }
                reply.put(paths: open)
                reply.put(paths: asked)
            }
        }
    }

    func secrets(_ call: BusMessage, _ client: Client) throws {
        try want(call, "aoo")
        guard let paths = call.texts("o", limit: Self.maximumPaths), let sessionPath = call.text("o") else {
            throw CallFailure.invalid
        }
        let session = try session(sessionPath, of: client)
        // The same item may be asked for by several paths, and each of them once.
        var wanted: [(path: String, place: ItemPlace)] = []
        for path in Self.unique(paths) {
            guard case .item(let collection, let id)? = ObjectPath(path)?.resolved(vaultState.named) else {
                continue
            }
            wanted.append((path, ItemPlace(collection: collection, id: id)))
        }
        let places = Set(wanted.map(\.place).filter { $0.collection != SessionCollection.id })
        let hasOwn = wanted.contains { sessionItem($0.place, of: client) != nil }
        work(call, for: client) { vault in
            guard !places.isEmpty else { return [:] }
            do {
                return try await vault.unopening.values(places)
            } catch  where CallFailure(error).error == .isLocked {
                return [:]
            } catch  where CallFailure(error).error == .accessDenied {
                // What is refused is left out beside what is not; without a value the answer would say that there is none.
                guard hasOwn else { throw error }
                return [:]
            }
        } _: { [self] (found: [ItemPlace: (value: Secret, contentType: String?)]) in
            let values = wanted.compactMap { one -> (path: String, value: Secret, contentType: String?)? in
                let own = sessionItem(one.place, of: client).map { ($0.value, $0.contentType) }
                return (own ?? found[one.place]).map { (one.path, $0.0, $0.1) }
            }
            guard values.reduce(0, { $0 + $1.value.count }) <= Self.longestAnswer else {
                throw CallFailure.tooMuch
            }
            bus.answer(call) { reply in
                reply.markSensitive()
                reply.container("a", "{o(oayays)}") {
                    for one in values {
                        reply.container("e", "o(oayays)") {
                            reply.put(one.path, "o")
                            do {
                                try put(one.value, one.contentType, sessionPath, session, into: reply)
                            } catch {
                                reply.breakOff()
                            }
                        }
                    }
                }
            }
        }
    }

    func secret(_ call: BusMessage, _ collection: String, _ id: String, _ client: Client) throws {
        try want(call, "o")
        let sessionPath = call.text("o")
        let session = try session(sessionPath, of: client)
        let place = ItemPlace(collection: collection, id: id)
        work(call, for: client) { vault in
            if let value = try await vault.unopening.values([place])[place] { return value }
            throw try await vault.openVaultState().isClosed(collection) ? CallFailure.isLocked : .noSuchObject
        } _: { [self] (value: (value: Secret, contentType: String?)) in
            // A value came, so the vault was opened without a word to this service.
            if vaultState.isLocked { lookAround() }
            guard let sessionPath else { throw CallFailure.noSuchObject }
            bus.answer(call) { reply in
                reply.markSensitive()
                do {
                    try put(value.value, value.contentType, sessionPath, session, into: reply)
                } catch {
                    reply.breakOff()
                }
            }
        }
    }

    /// What a search looks for; nil where no item can have it, as it is more than one may have.
    static func wanted(_ call: BusMessage) throws -> ItemAttributes? {
        guard let pairs = call.pairs(limit: ItemAttributes.maximumCount) else {
            guard call.isTooLong else { throw CallFailure.invalid }
            return nil
        }
        do { return try attributes(pairs) } catch ServiceError.tooMuch { return nil }
    }

    /// Attributes as a client sends them.
    static func attributes(_ pairs: [String: String]) throws -> ItemAttributes {
        try ItemAttributes(pairs.map { ItemAttributes.Pair(name: Array($0.utf8), value: Array($1.utf8)) })
    }

    static func path(_ place: ItemPlace) -> String {
        ObjectPath.item(collection: place.collection, id: place.id).text
    }

    static func unique(_ ids: [String]) -> [String] {
        var seen: Set<String> = []
        return ids.filter { seen.insert($0).inserted }
    }
}

extension AgentVault {
    /// Values of those that are there, as many at a time as one answer of the agent has.
    ///
    /// - Throws: `LimitsExceeded` where they are more than one answer on the bus has.
    func values(_ places: Set<ItemPlace>) async throws -> [ItemPlace: (value: Secret, contentType: String?)] {
        var ids = Front.unique(places.map(\.id))
        // If a program names many items, perhaps few exist.
        if ids.count > ItemReading.maximum {
            ids = try await service.itemViews(ids).map(\.place).filter(places.contains).map(\.id)
        }
        var values: [ItemPlace: (value: Secret, contentType: String?)] = [:]
        var rest = ids[...]
        var bytes = 0
        while !rest.isEmpty {
            let part = rest.prefix(ItemReading.maximum)
            rest = rest.dropFirst(part.count)
            for one in try await service.itemValues(ItemReading(Array(part)))
            where places.contains(one.place) {
                bytes += one.value.count
                guard bytes <= Front.longestAnswer else { throw CallFailure.tooMuch }
                values[one.place] = (one.value, one.contentType)
            }
        }
        return values
    }
}
