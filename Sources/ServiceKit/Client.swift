internal import AgentProtocol
internal import Secrets
internal import MessageBus
internal import VaultKit

/// A connection on the bus, from its first call to its end; used by the thread that owns the bus.
final class Client {
    /// The most sessions of one client.
    static let sessions = 16
    /// The most unfinished calls of one client.
    static let calls = 256
    /// The most calls of one client that wait for a person.
    static let held = 16
    /// The most prompts of one client.
    static let prompts = 8

    /// What is known of a client.
    enum Status {
        /// The bus was asked which process the client is; the client's calls wait, in their order.
        case asked([BusMessage])
        case known(Behalf)
        /// The client belongs to another user, or the bus cannot name its process.
        case refused
    }

    /// A process or a program, which may have many connections.
    enum Group: Hashable {
        case process(ProcessID)
        /// The path of a program's file; empty if it cannot be read.
        case program(String)
    }

    /// The unique name of the connection.
    let name: String
    var status = Status.asked([])
    /// The process and the program that the connection belongs to.
    var groups: [Group] = []
    /// The client's sessions, by their paths.
    var sessions: [String: ServiceSession] = [:]
    /// The client's prompts, by their paths.
    var prompts: [String: Prompt] = [:]
    /// The work that the agent does for the client, by number.
    var tasks: [UInt64: Task<Void, Never>] = [:]
    /// The number of the present work: the next work begins when this is done, or waits for a person.
    var turn: UInt64?
    /// The work that has not begun, in its order.
    var queue: [Work] = []
    /// Calls that wait for a person.
    var waiting: Set<UInt64> = []
    /// The properties of items that the client read.
    var seen = SeenItems()
    /// Items that were changed since the client read them.
    var unread: Set<ItemPlace> = []
    /// Whether the changed items are being read for the client.
    var isReading = false
    /// Collections that the client read while they were closed, so that it saw no items of them.
    var emptied: Set<String> = []
    /// Collections whose list of items the client read, each with a hash of the list that it knows.
    var lists: [String: Int] = [:]
    /// Lists that are being read for the client.
    var listing: Set<String> = []

    init(_ name: String) { self.name = name }

    /// A piece of work that the agent is to do for a client.
    struct Work {
        let number: UInt64
        let begin: () -> Task<Void, Never>
    }

    /// How many pieces of work are unfinished.
    var load: Int { tasks.count + queue.count }

    /// Whether the client is to be notified when values that it read change.
    var isWatching: Bool { !seen.places.isEmpty || !emptied.isEmpty || !lists.isEmpty }

    /// Whether the client can be forgotten, with no loss but its notifications.
    var isIdle: Bool {
        if case .asked = status { return false }
        return load == 0 && sessions.isEmpty && prompts.isEmpty
    }

    /// Begins the next work, unless other work goes before it.
    func proceed() {
        guard turn == nil, !queue.isEmpty else { return }
        let work = queue.removeFirst()
        turn = work.number
        tasks[work.number] = work.begin()
    }

    /// Lets the next work begin after this work.
    func pass(_ number: UInt64) {
        if turn == number { turn = nil }
        proceed()
    }

    /// Cancels all work for the client.
    func end() {
        queue = []
        for task in tasks.values { task.cancel() }
    }

    /// Removes work from the queue; false if the work has begun.
    func drop(_ number: UInt64) -> Bool {
        guard let place = queue.firstIndex(where: { $0.number == number }) else { return false }
        queue.remove(at: place)
        return true
    }
}

/// The properties of items that a client read, so that it is notified of changes to these, and of no others.
///
/// Hashes are enough for that; labels and attributes are not kept.
struct SeenItems {
    /// The most items of one client; the oldest makes room for a new one.
    static let maximum = 64

    private var hashes: [ItemPlace: [String: Int]] = [:]
    /// The items, in the order in which they were read.
    private(set) var places: [ItemPlace] = []

    func has(_ place: ItemPlace) -> Bool { hashes[place] != nil }

    /// Remembers the properties of an item that the client read.
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

    /// The properties whose values differ from those that the client knows; empty if it never read the item.
    ///
    /// From now on the client counts as knowing them.
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
