internal import Secrets
internal import MessageBus
internal import VaultKit

/// What clients learn without a call: signals.
extension Front {
    /// Tells everybody of an item; before the answer to the call that caused it.
    func tell(_ member: String, _ place: ItemPlace) {
        let path = ObjectPath.collection(place.collection).text
        guard let signal = BusMessage(signalOf: bus, path, Interface.collection, member) else { return }
        signal.put(Self.path(place), "o")
        bus.send(signal)
        if member != "ItemChanged" { tellLists(of: place.collection) }
        for client in clients.values where client.seen.has(place) { refresh(client, [place]) }
    }

    func tellService(_ member: String, _ path: String) {
        guard let signal = BusMessage(signalOf: bus, ObjectPath.root, Interface.service, member) else {
            return
        }
        signal.put(path, "o")
        bus.send(signal)
    }

    /// Tells everybody of a property of a collection.
    func tell(_ name: String, _ value: PropertyValue, of id: String) {
        tell([name: value], ObjectPath.collection(id).text, Interface.collection)
    }

    /// Tells everybody, or one client, of new values of properties; never that one is not known any more, which libsecret
    /// takes for an empty list.
    func tell(
        _ values: [String: PropertyValue],
        _ path: String,
        _ interface: String,
        to client: Client? = nil
    ) {
        let signal = BusMessage(
            signalOf: bus,
            path,
            Interface.properties,
            "PropertiesChanged",
            to: client?.name
        )
        guard let signal else { return }
        signal.put(interface)
        signal.put(properties: values)
        signal.container("a", "s") {}
        bus.send(signal)
    }

    /// Tells of what was changed by others than clients; of more than can be named, that there was something.
    func tell(_ news: ItemNews?) {
        guard let news else {
            for id in vaultState.collections.map(\.id) {
                tellService("CollectionChanged", ObjectPath.collection(id).text)
            }
            for client in clients.values { refresh(client, client.seen.places) }
            for id in vaultState.ids { tellLists(of: id) }
            return
        }
        for place in news.made { tell("ItemCreated", place) }
        for place in news.changed { tell("ItemChanged", place) }
        for place in news.removed { tell("ItemDeleted", place) }
    }

    /// Tells the client that set properties of an item what they are now, before the answer: libraries wait for that.
    func tell(_ change: ItemChange, _ all: [String: PropertyValue], of place: ItemPlace, to client: Client) {
        let names = [change.label.map { _ in "Label" }, change.attributes.map { _ in "Attributes" }]
        let set = Set(names.compactMap(\.self))
        guard !set.isEmpty else { return }
        tell(all.filter { set.contains($0.key) }, Self.path(place), Interface.item, to: client)
        if client.seen.has(place) { client.seen.note(place, all) }
    }

    // MARK: Clients that keep what they read

    /// Remembers what a client read whole: libraries keep it, and go by what they are told from then on.
    func noteReading(_ object: ObjectPath, _ properties: [String: PropertyValue], _ client: Client) {
        switch object.resolved(vaultState.named) {
        case .item(let collection, let id)? where collection != SessionCollection.id:
            client.seen.note(ItemPlace(collection: collection, id: id), properties)
        case .collection(let id)?:
            if let items = properties["Items"] { client.lists[id] = items.hashValue }
            // Of a closed collection it has seen no items.
            if vaultState.isClosed(id) { client.emptied.insert(id) } else { client.emptied.remove(id) }
        default: break
        }
    }

    /// Tells a client alone what of an item is another value than it was told: what is locked, and what is there at all, is
    /// not the same for all clients.
    func tell(_ properties: [String: PropertyValue], of place: ItemPlace, to client: Client) {
        let changes = client.seen.changes(of: place, properties)
        if !changes.isEmpty { tell(changes, Self.path(place), Interface.item, to: client) }
    }

    /// Tells those who read items of a collection, or the collection itself, that it was closed or opened.
    func tellReaders(isClosed: Bool, _ id: String) {
        for client in clients.values {
            let places = client.seen.places.filter { $0.collection == id }
            guard isClosed else {
                if !places.isEmpty { refresh(client, places) }
                if client.emptied.remove(id) != nil { tellItems(of: id, to: client) }
                // What was changed while it was closed is news for nobody else.
                if client.lists[id] != nil { tellLists(of: id) }
                continue
            }
            for place in places { tell(["Locked": .bool(true)], of: place, to: client) }
        }
    }

    /// Reads items again for a client that has read them, and tells it of what is new; one reading at a time.
    ///
    /// A client with so much under way that this finds no place is not told.
    func refresh(_ client: Client, _ places: some Sequence<ItemPlace>) {
        client.unread.formUnion(places)
        guard !client.isReading, !client.unread.isEmpty else { return }
        let places = client.unread
        client.unread = []
        let ids = Self.unique(places.map(\.id))
        let number = start(for: client, isCall: false) { vault in
            let vault = vault.unasked
            let vaultState = try await vault.vaultState()
            return (vaultState, vaultState.isLocked ? [] : try await vault.service.itemViews(ids))
        } _: { [unowned self] result in
            client.isReading = false
            if let (seen, views) = try? result.get() {
                saw(seen)
                take(views, of: places, for: client)
            }
            refresh(client, [])
        }
        client.isReading = number != nil
    }

    private func take(_ views: [ItemView], of places: Set<ItemPlace>, for client: Client) {
        guard !vaultState.isLocked else { return }
        var gone = places
        for view in views where gone.remove(view.place) != nil {
            let isClosed = vaultState.isClosed(view.place.collection)
            tell(PropertyValue.all(of: view, isClosed: isClosed), of: view.place, to: client)
        }
        for place in gone { client.seen.remove(place) }
    }

    /// Tells those who read the list of a collection's items what it is by now, a moment later: many changes are one news.
    func tellLists(of id: String) {
        guard clients.values.contains(where: { $0.lists[id] != nil }) else { return }
        if staleLists.isEmpty {
            deadlines.add("lists", seconds: 1) { [unowned self] in
                let stale = staleLists
                staleLists = []
                for id in stale {
                    for client in clients.values where client.lists[id] != nil {
                        tellItems(of: id, to: client)
                    }
                }
            }
        }
        staleLists.insert(id)
    }

    /// Tells a client which items a collection has, where that is something else than it knows; one reading at a time.
    private func tellItems(of id: String, to client: Client) {
        func tell(_ items: PropertyValue) {
            guard client.lists.updateValue(items.hashValue, forKey: id) != items.hashValue else { return }
            self.tell(["Items": items], ObjectPath.collection(id).text, Interface.collection, to: client)
        }
        guard id != SessionCollection.id else {
            if let items = try? sessionProperties(client)["Items"] { tell(items) }
            return
        }
        guard !client.listing.contains(id) else { return tellLists(of: id) }
        let number = start(for: client, isCall: false) { vault in
            try await vault.unasked.service(Operations.itemSearch, ItemSearch(in: id))
        } _: { [unowned self] result in
            client.listing.remove(id)
            // A closed collection is not an empty collection.
            guard let matches = try? result.get(), !vaultState.isClosed(id) else { return }
            tell(.paths((matches.open + matches.asked).map(Self.path)))
        }
        if number != nil { client.listing.insert(id) }
    }
}
