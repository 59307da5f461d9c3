internal import CHSIP

/// How a call ended, as C gets to know it.
enum Status {
    /// Does the work of a call; what it throws becomes a number.
    static func of(_ body: () throws -> Void) -> hsip_status {
        do {
            try body()
            Hint.keep(nil)
            return hsip_status(HSIP_OK)
        } catch {
            let refused = Refused(error)
            Hint.keep(refused.hint)
            return refused.status
        }
    }

    /// What the library itself refuses.
    static func of(_ error: LibraryError) -> hsip_status {
        Hint.keep(nil)
        return hsip_status(clamping: error.status)
    }
}
