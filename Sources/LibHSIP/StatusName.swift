internal import CHSIP

/// The names of the sixteen numbers (Schemas/exit-codes.json).
enum StatusName {
    static func of(_ status: hsip_status) -> StaticString {
        switch Int(status) {
        case HSIP_OK: "ok"
        case HSIP_FAILURE: "failure"
        case HSIP_USAGE: "usage"
        case HSIP_NOT_FOUND: "notFound"
        case HSIP_CONFLICT: "conflict"
        case HSIP_LOCKED: "locked"
        case HSIP_DENIED: "denied"
        case HSIP_INPUT_NEEDED: "inputNeeded"
        case HSIP_EXPIRED: "expired"
        case HSIP_REKEY_REQUIRED: "rekeyRequired"
        case HSIP_BUSY: "busy"
        case HSIP_INTEGRITY: "integrity"
        case HSIP_UNAVAILABLE: "unavailable"
        case HSIP_MALFORMED: "malformed"
        case HSIP_REPLAY: "replay"
        case HSIP_CHANGED: "changed"
        default: "unknown"
        }
    }
}
