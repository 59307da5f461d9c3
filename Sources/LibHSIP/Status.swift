internal import CHSIP

/// How a call ended, as C gets to know it.
enum Status {
    /// Does the work of a call; what it throws becomes a number.
    static func of(_ body: () throws -> Void) -> hsip_status {
        do {
            try body()
            return hsip_status(HSIP_OK)
        } catch {
            return Refused(error).status
        }
    }

    /// What the library itself refuses.
    static func of(_ error: LibraryError) -> hsip_status { hsip_status(clamping: error.status) }
}
