internal import CHSIP

/// How a call ended, as C gets to know it.
enum Status {
    /// Does the work of a call; what it throws becomes a number.
    static func of(_ body: () throws -> Void) -> hsip_status {
        do {
            try body()
            LastError.clear()
            return hsip_status(HSIP_OK)
        } catch {
            return refused(error)
        }
    }

    /// What the library itself refuses.
    static func of(_ error: LibraryError) -> hsip_status { refused(error) }

    private static func refused(_ error: any Error) -> hsip_status {
        let refused = Refused(error)
        LastError.keep(refused)
        return refused.status
    }
}
