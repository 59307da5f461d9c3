internal import CFIDOLoader
internal import Glibc
package import RecordStore
internal import Synchronization
internal import VaultCrypto

/// The security keys that are plugged in.
package struct SecurityKeys: Sendable {
    /// The relying party of every credential.
    static let relyingParty = "io.hsip.vault"
    /// How long the key waits for a touch, in milliseconds.
    static let patience: Int32 = 30_000

    private let ports: KeyPorts

    /// Loads the library; no key is opened yet.
    ///
    /// - Throws: `noLibrary`.
    package init(_ ports: KeyPorts = .usb) throws(KeyError) {
        guard unsafe hsip_fido_load() != nil else { throw .noLibrary }
        self.ports = ports
    }

    /// The keys that are plugged in.
    ///
    /// - Throws: `noKey`, `denied`, `failed`.
    package func list() throws(KeyError) -> [KeyPort] {
        let found = try ports.list()
        guard !found.isEmpty else { throw .noKey }
        return found
    }

    /// Opens the key that is plugged in at a path.
    ///
    /// - Throws: `gone` if the key was unplugged; the errors of `open`.
    package func open(at path: String) throws(KeyError) -> SecurityKey {
        guard let port = try found(at: path) else { throw .gone }
        do throws(KeyError) { return try open(port) } catch {
            // The library does not report that the device was missing, so the path is looked up again.
            guard case .failed = error, try found(at: path) == nil else { throw error }
            throw .gone
        }
    }

    private func found(at path: String) throws(KeyError) -> KeyPort? {
        try ports.list().first { $0.path == path }
    }

    /// Describes each key, without a touch.
    ///
    /// - Throws: `noKey`, `denied`; if no key could be described, the last error.
    package func look(_ slots: [FIDO2Params]) throws(KeyError) -> [KeyLook] {
        var looks: [KeyLook] = []
        var failure: KeyError?
        for port in try list() {
            do throws(KeyError) { looks.append(try look(port, slots)) } catch { failure = error }
        }
        if looks.isEmpty, let failure { throw failure }
        return looks
    }

    private func look(_ port: KeyPort, _ slots: [FIDO2Params]) throws(KeyError) -> KeyLook {
        let key: SecurityKey
        do throws(KeyError) { key = try open(port) } catch .unfit {
            let matches = [KeyLook.Match](repeating: .no, count: slots.count)
            return KeyLook(port, isFit: false, nil, nil, matches)
        }
        var matches: [KeyLook.Match] = []
        for slot in slots { matches.append(try key.match(slot, .system)) }
        return KeyLook(port, isFit: true, key.info, key.info.pin == true ? key.triesLeft() : nil, matches)
    }

    /// Opens a key, and asks for its capabilities.
    ///
    /// - Throws: `unfit` for a key without hmac-secret; `busy`, `gone`, `failed`.
    package func open(_ port: KeyPort) throws(KeyError) -> SecurityKey {
        try SecurityKey(port, ports)
    }
}

/// A wait for a touch: one thread waits, and another can cancel.
package struct KeyWait: Sendable {
    fileprivate let address: UInt

    /// Ends the wait: the waiting thread gets `cancelled`.
    package func cancel() {
        guard let table = unsafe hsip_fido_load(), let device = unsafe OpaquePointer(bitPattern: address)
        else { return }
        _ = unsafe table.pointee.fido_dev_cancel(device)
    }
}

/// Cancels a wait for a touch repeatedly, because a cancellation is lost if the key does not wait yet.
private final class TouchEnd: Sendable {
    /// Microseconds between two cancellations.
    static let pause: UInt32 = 50_000

    private let wait: KeyWait
    private let isOver = Mutex(false)

    init(_ wait: KeyWait) { self.wait = wait }

    /// Cancels once; returns false if the request has finished.
    func cancel() -> Bool {
        isOver.withLock { isOver in
            if !isOver { wait.cancel() }
            return !isOver
        }
    }

    /// Ends the cancellations: the request has finished, and the key may be closed.
    func finish() { isOver.withLock { $0 = true } }
}

/// An open security key, which one thread uses; another thread may cancel.
@safe package final class SecurityKey {
    /// The port at which the key is plugged in.
    package let port: KeyPort
    /// The capabilities that the key reports.
    package let info: KeyInfo
    let calls: hsip_fido
    let device: OpaquePointer
    /// Kept while the key is open, because the ports may own what `prepare` set up.
    private let ports: KeyPorts

    init(_ port: KeyPort, _ ports: KeyPorts) throws(KeyError) {
        guard let table = unsafe hsip_fido_load() else { throw .noLibrary }
        let calls = unsafe table.pointee
        var made = unsafe calls.fido_dev_new()
        guard let device = unsafe made else { throw .outOfMemory }
        var isOpen = false
        do throws(KeyError) {
            try Self.check(unsafe ports.prepare(device))
            try Self.check(unsafe calls.fido_dev_open(device, port.path))
            isOpen = true
            guard unsafe calls.fido_dev_is_fido2(device) else { throw .unfit }
            try Self.check(unsafe calls.fido_dev_set_timeout(device, SecurityKeys.patience))
            info = unsafe try KeyInfo(device, calls)
            guard info.hasSecrets else { throw .unfit }
        } catch {
            if isOpen { _ = unsafe calls.fido_dev_close(device) }
            unsafe calls.fido_dev_free(&made)
            throw error
        }
        self.port = port
        self.ports = ports
        self.calls = calls
        unsafe self.device = device
    }

    deinit {
        var ended: OpaquePointer? = unsafe device
        _ = unsafe calls.fido_dev_close(device)
        unsafe calls.fido_dev_free(&ended)
    }

    /// Runs `body`, and lets SIGTERM cancel its wait for a touch, so that the key stops blinking.
    func cancellable<R>(_ body: () throws(KeyError) -> R) throws(KeyError) -> R {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGTERM)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        let end = TouchEnd(wait)
        defer { end.finish() }
        let context = unsafe Unmanaged.passRetained(end).toOpaque()
        var thread = pthread_t()
        // The thread ends with the process, which ends after this request.
        _ = unsafe pthread_create(
            &thread,
            nil,
            { context in
                guard let context = unsafe context else { return nil }
                let end = unsafe Unmanaged<TouchEnd>.fromOpaque(context).takeRetainedValue()
                var signals = sigset_t()
                var number: Int32 = 0
                unsafe sigemptyset(&signals)
                unsafe sigaddset(&signals, SIGTERM)
                unsafe sigwait(&signals, &number)
                while end.cancel() { usleep(TouchEnd.pause) }
                return nil
            },
            context
        )
        return try body()
    }

    /// The handle with which another thread cancels a wait; it is valid only while the key is open.
    package var wait: KeyWait { KeyWait(address: unsafe UInt(bitPattern: device)) }

    /// How many wrong PINs the key still accepts; nil if it does not report that.
    package func triesLeft() -> UInt32? {
        var count: Int32 = 0
        guard unsafe calls.fido_dev_get_retry_count(device, &count) == 0 else { return nil }
        return UInt32(exactly: count)
    }

    static func check(_ code: Int32) throws(KeyError) {
        guard code == 0 else { throw KeyError(code: code) }
    }

    /// Passes a PIN with a zero byte after it; refuses a PIN whose length would waste a try.
    func withPIN<R>(
        _ pin: Secret,
        _ body: (UnsafePointer<CChar>) throws(KeyError) -> R
    ) throws(KeyError) -> R {
        let characters = pin.withBytes { bytes in
            (0..<bytes.byteCount).reduce(0) { $0 + (bytes.byte(at: $1) & 0xC0 != 0x80 ? 1 : 0) }
        }
        let hasEnd = pin.withBytes { bytes in (0..<bytes.byteCount).contains { bytes.byte(at: $0) == 0 } }
        guard characters >= 4, pin.count <= 63, !hasEnd else { throw .pinLength }
        let marked: SecretBytes
        do { marked = try SecretBytes.joined(pin, [0]) } catch { throw .outOfMemory }
        return try marked.withBytes { bytes throws(KeyError) in
            try unsafe bytes.withUnsafeBytes { bytes throws(KeyError) in
                guard let base = bytes.baseAddress else { throw .pinLength }
                return unsafe try body(base.assumingMemoryBound(to: CChar.self))
            }
        }
    }

    /// Adds the number of tries left to the error of a wrong PIN.
    func explain(_ error: KeyError) -> KeyError {
        error == .pinWrong(triesLeft: nil) ? .pinWrong(triesLeft: triesLeft()) : error
    }
}

extension KeyLook {
    fileprivate init(
        _ port: KeyPort,
        isFit: Bool,
        _ info: KeyInfo?,
        _ triesLeft: UInt32?,
        _ matches: [Match]
    ) {
        self.init(
            path: port.path,
            product: String(port.product.prefix(64)),
            isFit: isFit,
            hasPIN: info?.pin == true,
            hasFinger: info?.finger == true,
            triesLeft: triesLeft,
            matches: matches
        )
    }
}
