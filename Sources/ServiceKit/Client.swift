internal import AgentProtocol
internal import MessageBus
internal import ServiceFormats

/// A connection to the bus that called, from its first call to its end; used by the thread that owns the bus.
final class Client {
    /// Sessions of one client.
    static let sessions = 16
    /// Calls of one client under way.
    static let calls = 64
    /// Prompts of one client.
    static let prompts = 8

    /// What is known of it.
    enum Standing {
        /// The bus was asked who it is; its calls wait, in their order.
        case asked([BusMessage])
        case known(Behalf)
        /// Another user's, or one that the bus cannot name.
        case refused
    }

    /// Its unique name.
    let name: String
    var standing = Standing.asked([])
    /// Its sessions, by their paths.
    var sessions: [String: ServiceSession] = [:]
    /// Its prompts, by their paths.
    var prompts: [String: Prompt] = [:]
    /// What the agent does for it.
    var tasks: [UInt64: Task<Void, Never>] = [:]

    init(_ name: String) { self.name = name }

    /// Ends all that it waits for.
    func end() { for task in tasks.values { task.cancel() } }
}

/// A question that a client may put to the person.
final class Prompt {
    /// What becomes of a yes.
    enum Wish {
        /// Objects become open, by the paths as the client wrote them.
        case unlock([(path: String, object: ObjectPath)])
    }

    let wish: Wish
    var isShown = false
    var task: UInt64?

    init(_ wish: Wish) { self.wish = wish }
}
