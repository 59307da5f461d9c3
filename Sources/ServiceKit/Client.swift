internal import AgentProtocol
internal import Secrets
internal import MessageBus
internal import VaultKit

/// A connection to the bus that called, from its first call to its end; used by the thread that owns the bus.
final class Client {
    /// Sessions of one client.
    static let sessions = 16
    /// Calls of one client under way.
    static let calls = 256
    /// Calls of one client that wait for a person.
    static let held = 16
    /// Prompts of one client.
    static let prompts = 8

    /// What is known of it.
    enum Status {
        /// The bus was asked who it is; its calls wait, in their order.
        case asked([BusMessage])
        case known(Behalf)
        /// Another user's, or one that the bus cannot name.
        case refused
    }

    /// What may be many connections of one.
    enum Group: Hashable {
        case process(ProcessID)
        /// The path of a program's file; empty where that cannot be read.
        case program(String)
    }

    /// Its unique name.
    let name: String
    var status = Status.asked([])
    /// The process and the program that it is one of.
    var groups: [Group] = []
    /// Its sessions, by their paths.
    var sessions: [String: ServiceSession] = [:]
    /// Its prompts, by their paths.
    var prompts: [String: Prompt] = [:]
    /// What the agent does for it.
    var tasks: [UInt64: Task<Void, Never>] = [:]
    /// Whose turn it is: what comes later begins when this is done, or waits for a person.
    var turn: UInt64?
    /// What has not begun, in its order.
    var queue: [Work] = []
    /// Calls that wait for a person.
    var waiting: Set<UInt64> = []
    /// What it read of items.
    var seen = SeenItems()
    /// Items that were changed since it read them.
    var unread: Set<ItemPlace> = []
    /// Whether they are being read for it.
    var isReading = false
    /// Collections that it read while they were closed: it saw no items of them.
    var emptied: Set<String> = []
    /// Collections whose list of items it read, and what it was last told of that, as a hash.
    var lists: [String: Int] = [:]
    /// Lists that are being read for it.
    var listing: Set<String> = []

    init(_ name: String) { self.name = name }

    /// Something that the agent is to do for a client.
    struct Work {
        let number: UInt64
        let begin: () -> Task<Void, Never>
    }

    /// How much is under way.
    var load: Int { tasks.count + queue.count }

    /// Whether it is to be told of what it read when that is another value.
    var isWatching: Bool { !seen.places.isEmpty || !emptied.isEmpty || !lists.isEmpty }

    /// Whether nothing but what it would be told of is lost when it is forgotten.
    var isIdle: Bool {
        if case .asked = status { return false }
        return load == 0 && sessions.isEmpty && prompts.isEmpty
    }

    /// Begins what is next, if nothing else has the turn.
    func proceed() {
        guard turn == nil, !queue.isEmpty else { return }
        let work = queue.removeFirst()
        turn = work.number
        tasks[work.number] = work.begin()
    }

    /// Gives the turn on; what is done is out of the way.
    func pass(_ number: UInt64) {
        if turn == number { turn = nil }
        proceed()
    }

    /// Ends all that it waits for.
    func end() {
        queue = []
        for task in tasks.values { task.cancel() }
    }

    /// Takes out what has not begun; false where it has.
    func drop(_ number: UInt64) -> Bool {
        guard let place = queue.firstIndex(where: { $0.number == number }) else { return false }
        queue.remove(at: place)
        return true
    }
}

/// What a client read of items: so it is told when that is another value, and of nothing else.
///
/// Hashes are enough for that; labels and attributes are not kept.
struct SeenItems {
    /// Items of one client; the one that was read first makes room.
    static let maximum = 64

    private var hashes: [ItemPlace: [String: Int]] = [:]
    /// In the order in which they were read.
    private(set) var places: [ItemPlace] = []

    func has(_ place: ItemPlace) -> Bool { hashes[place] != nil }

    /// Remembers what it read.
    mutating func note(_ place: ItemPlace, _ properties: [String: PropertyValue]) {
        remove(place)
        if places.count >= Self.maximum, let first = places.first { remove(first) }
        hashes[place] = properties.mapValues(\.hashValue)
        places.append(place)
    }

    /// Forgets an item.
    mutating func remove(_ place: ItemPlace) {
        guard hashes.removeValue(forKey: place) != nil else { return }
        places.removeAll { $0 == place }
    }

    /// What of these properties is another value than it knows, which it does from now on; nothing of an item that it never
    /// read.
    mutating func changes(
        of place: ItemPlace,
        _ properties: [String: PropertyValue]
    ) -> [String: PropertyValue] {
        guard let known = hashes[place] else { return [:] }
        let changes = properties.filter { known[$0.key] != $0.value.hashValue }
        hashes[place]?.merge(changes.mapValues(\.hashValue)) { _, new in new }
        return changes
    }
}
