public import CHSIP

/// Opens a vault; see hsip.h.
@c @implementation
public func hsip_open(
    _ options: UnsafePointer<hsip_options>?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> hsip_status {
    guard let out = unsafe out else { return Status.of(.usage) }
    unsafe out.pointee = nil
    return Status.of {
        guard OwnProcess.claim() else { throw LibraryError.unavailable }
        let handle = try Opener.open(try unsafe HostOptions(options))
        unsafe out.pointee = HandleTable.add(handle)
    }
}

/// Ends it; see hsip.h.
@c @implementation
public func hsip_close(_ vault: OpaquePointer?) {
    unsafe HandleTable.remove(vault)?.close()
}
