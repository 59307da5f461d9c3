public import CHSIP
internal import Presentation
internal import VaultKit

/// Does a command of the command line; see hsip.h.
@c @implementation
public func hsip_call(
    _ vault: OpaquePointer?,
    _ request_json: UnsafePointer<CChar>?,
    _ reply_json: UnsafeMutablePointer<hsip_bytes>?
) -> hsip_status {
    unsafe OutputBytes.clear(reply_json)
    guard unsafe reply_json != nil else { return Status.of(.usage) }
    let request: CallRequest
    do {
        guard let text = unsafe BorrowedBytes(text: request_json) else { return Status.of(.usage) }
        request = try CallRequest(text)
    } catch {
        return unsafe JSONReply.give("hsip", to: reply_json) { throw error }
    }
    return unsafe JSONReply.give(request.command, to: reply_json) {
        let work = try request.work()
        let handle = try unsafe HandleTable.find(vault)
        return try handle.call { try await work(handle.context($0)) }
    }
}
