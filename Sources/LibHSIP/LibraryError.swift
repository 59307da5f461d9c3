internal import CHSIP

/// What the library itself refuses.
enum LibraryError: Error {
    /// A call that cannot be meant so.
    case usage
    /// Not in time.
    case busy
    /// A child of the process that opened the vault, or options of a newer library.
    case unavailable
    /// A name or text that is none.
    case malformed
    /// Several messages where one was meant.
    case several
    /// There is nothing of that name.
    case unknown
    /// A secret that is past its time.
    case expired
    /// Nobody could be asked for the passphrase.
    case locked
    /// The person said no.
    case denied

    /// The number of Schemas/exit-codes.json.
    var status: Int {
        switch self {
        case .usage: HSIP_USAGE
        case .busy: HSIP_BUSY
        case .unavailable: HSIP_UNAVAILABLE
        case .malformed: HSIP_MALFORMED
        case .several: HSIP_INPUT_NEEDED
        case .unknown: HSIP_NOT_FOUND
        case .expired: HSIP_EXPIRED
        case .locked: HSIP_LOCKED
        case .denied: HSIP_DENIED
        }
    }

    /// As the JSON spells it (Schemas/errors.json).
    var name: String {
        switch self {
        case .usage: "usage"
        case .busy: "busy"
        case .unavailable: "unavailable"
        case .malformed: "malformedInput"
        case .several: "severalMessages"
        case .unknown: "notFound"
        case .expired: "expired"
        case .locked: "locked"
        case .denied: "denied"
        }
    }
}
