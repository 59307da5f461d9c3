public import CHSIP
internal import CLinux
internal import Presentation

/// The version of the library; see hsip.h.
@c @implementation
public func hsip_version() -> UnsafePointer<CChar>? { unsafe Words.pointer(ProductVersion.number) }

/// The name of a status; see hsip.h.
@c @implementation
public func hsip_status_name(_ status: hsip_status) -> UnsafePointer<CChar>? {
    unsafe Words.pointer(ExitCode(rawValue: status)?.name ?? "unknown")
}

/// What would help after a refusal; see hsip.h.
@c @implementation
public func hsip_hint() -> UnsafePointer<CChar>? { unsafe hsip_kept_hint() }

/// What this thread's last call was refused for; see hsip.h.
@c @implementation
public func hsip_last_error() -> UnsafePointer<CChar>? { unsafe hsip_kept_error() }

/// Wipes and frees what was handed over; see hsip.h.
@c @implementation
public func hsip_bytes_free(_ bytes: UnsafeMutablePointer<hsip_bytes>?) {
    guard let bytes = unsafe bytes else { return }
    unsafe OutputBytes.take(back: bytes)
}

/// Words that are part of the program: they end with a zero byte and are never freed.
enum Words {
    static func pointer(_ word: StaticString) -> UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(word.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
