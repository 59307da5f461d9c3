public import CHSIP
internal import CLinux
internal import Presentation

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

/// The version of the library; see hsip.h.
@c @implementation
public func hsip_version() -> UnsafePointer<CChar>? { unsafe pointer(to: ProductVersion.number) }

/// The name of a status; see hsip.h.
@c @implementation
public func hsip_status_name(_ status: hsip_status) -> UnsafePointer<CChar>? {
    unsafe pointer(to: ExitCode(rawValue: status)?.name ?? "unknown")
}

/// The hint after a refusal; see hsip.h.
@c @implementation
public func hsip_hint() -> UnsafePointer<CChar>? { unsafe hsip_kept_hint() }

/// Why this thread's last call failed; see hsip.h.
@c @implementation
public func hsip_last_error() -> UnsafePointer<CChar>? { unsafe hsip_kept_error() }

/// Wipes and frees what was handed over; see hsip.h.
@c @implementation
public func hsip_bytes_free(_ bytes: UnsafeMutablePointer<hsip_bytes>?) {
    guard let bytes = unsafe bytes else { return }
    unsafe OutputBytes.take(back: bytes)
}

/// A word that is part of the program: it ends with a zero byte and is never freed.
private func pointer(to word: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(word.utf8Start).assumingMemoryBound(to: CChar.self)
}
