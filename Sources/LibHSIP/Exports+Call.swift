public import CHSIP

/// Does a command of the command line; see hsip.h.
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
