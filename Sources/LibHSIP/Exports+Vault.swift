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

/// Closes a vault; see hsip.h.
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

/// Wipes and frees a result; see hsip.h.
@c @implementation
public func hsip_bytes_free(_ bytes: UnsafeMutablePointer<hsip_bytes>?) {
    guard let bytes = unsafe bytes else { return }
    unsafe OutputBytes.take(back: bytes)
}

/// The address of a constant text, which ends with a zero byte and is never freed.
private func pointer(to word: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(word.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// Runs a command of the command line; see hsip.h.
@c @implementation
public func hsip_call(
    _ vault: OpaquePointer?,
    _ request_json: UnsafePointer<CChar>?,
    _ reply_json: UnsafeMutablePointer<hsip_bytes>?
) -> hsip_status {
    unsafe OutputBytes.clear(reply_json)
    guard unsafe reply_json != nil, let text = unsafe BorrowedBytes(text: request_json) else {
        return Status.of(.usage)
    }
    let found = Result { try CallRequest(text) }
    return unsafe Status.of((try? found.get().command) ?? "hsip", to: reply_json) {
        let request = try found.get()
        try request.check()
        return try unsafe HandleTable.find(vault).call(about: request["name"], wanted: request["alias"]) {
            try await request.answer($0)
        }
    }
}
