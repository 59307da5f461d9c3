/// What a person let one command read, with all that it starts, for a while and for a reason.
///
/// It lives in the agent's memory and ends with the command, with its time, and with the lock.
public struct Lease: Hashable, Sendable {
    /// Most leases at a time.
    public static let maximum = 64
    /// Most names in one lease.
    public static let mostNames = 32
    /// The longest that a lease holds, in seconds: a day.
    public static let longest: UInt64 = 86_400
    /// Most characters in a reason.
    public static let longestReason = 200
    /// Most bytes in a reason, so that the log has all of it.
    public static let longestReasonInBytes = 230

    /// The number of its entry in the log, which no other lease of this vault has.
    public let number: UInt64
    /// Why it was given, in the words of the person.
    public let reason: String
    /// The names of the secrets that may be read.
    public let secrets: Set<String>
    /// When it ends, in seconds of the clock that cannot be set; 0 if a person or a lock ended it.
    public var ends: UInt64

    /// A lease.
    public init(number: UInt64, reason: String, secrets: Set<String>, ends: UInt64) {
        self.number = number
        self.reason = reason
        self.secrets = secrets
        self.ends = ends
    }

    /// A lease that covers nothing.
    public static let empty = Lease(number: 0, reason: "", secrets: [], ends: 0)

    /// The command that gives a lease, for hints.
    public static func command(_ name: String = "NAME") -> String {
        "hsip lease run \(name) --for 20m --reason TEXT -- COMMAND"
    }

    /// Operations that read a secret and change nothing.
    public static let reading: Set = ["secret.get", "secret.resolve", "secret.whole"]

    /// Whether it covers an act at a moment.
    public func covers(_ act: Act, at moment: UInt64) -> Bool {
        guard moment < ends, case .read(let operation, let name) = act else { return false }
        return Self.reading.contains(operation) && secrets.contains(name)
    }

    /// Whether a text can be a reason: one line without control characters, within both limits.
    public static func isReason(_ text: String) -> Bool {
        guard (1...longestReasonInBytes).contains(text.utf8.count), text.count <= longestReason else {
            return false
        }
        return text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                false
            default: true
            }
        }
    }
}
