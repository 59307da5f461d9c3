internal import CLinux
internal import Glibc
internal import RecordStore
internal import VaultCrypto

/// The program `hsip-hardware`, which reads one request from stdin, writes one response to stdout, and ends.
///
/// Only this program loads the libraries that talk to devices. So their leftovers in memory stay out of the programs that
/// have a vault open.
package enum HardwareHelper {
    /// The seconds after which the program ends in any case.
    private static let seconds: UInt32 = 120
    /// The exit status without a response.
    private static let failure: Int32 = 2

    /// Answers one request.
    ///
    /// - Parameters:
    ///   - transport: The connection to the TPM.
    ///   - ports: The source of security keys.
    /// - Returns: The exit status of the program: 0 if a response was written, which may be an error.
    package static func run(_ transport: TPMTransport = .standard, _ ports: KeyPorts = .usb) -> Int32 {
        guard giveUpRights() else { return failure }
        do throws(CryptoError) {
            guard let request = try HardwareRequest(try input()), hasListener else { return failure }
            return output(try answer(request, transport, ports).encoded()) ? 0 : failure
        } catch {
            return failure
        }
    }

    /// Restricts this process; returns false if it cannot protect the secrets of a request.
    private static func giveUpRights() -> Bool {
        alarm(seconds)
        _ = hsip_end_with_caller()
        _ = hsip_close_from(3)
        // The libraries write secrets to stderr or a file if their variables ask for it.
        clearenv()
        unsafe setenv("TSS2_LOG", "all+NONE", 1)
        let nowhere = unsafe Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
        guard dup2(nowhere, STDERR_FILENO) == STDERR_FILENO else { return false }
        umask(0o077)
        signal(SIGPIPE, SIG_IGN)
        _ = hsip_raise_locked_memory()
        guard hsip_set_not_dumpable() == 0, hsip_no_core() == 0, hsip_no_new_privileges() == 0 else {
            return false
        }
        // A kernel without filters, or an unsupported processor, runs without one.
        return hsip_filter_calls() == 0 || [ENOSYS, EINVAL].contains(errno)
    }

    /// True if the caller still waits: it may have ended before this program could ask to end with it.
    private static var hasListener: Bool {
        var request = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return unsafe poll(&request, 1, 0) == 0
    }

    private static func answer(
        _ request: HardwareRequest,
        _ transport: TPMTransport,
        _ ports: KeyPorts
    ) -> HardwareAnswer {
        do {
            switch request {
            case .devices(let params): return .devices(try lockout(params, TPM(transport)))
            case .seal(let secret, let auth, let registers):
                return .sealed(try seal(secret, auth, registers, TPM(transport)))
            case .open(let params, let auth):
                return .opened(Secret(try open(params, auth, TPM(transport))))
            case .keys(let slots): return .keys(try SecurityKeys(ports).look(slots))
            case .enrol(let path, let touchOnly, let pin):
                let key = try SecurityKeys(ports).open(at: path)
                let made = try key.cancellable { () throws(KeyError) in
                    try key.enrol(touchOnly: touchOnly, pin: pin, .system)
                }
                return .enrolled(made.params, made.secret)
            case .touch(let params, let path, let pin):
                let key = try SecurityKeys(ports).open(at: path)
                return .opened(
                    try key.cancellable { () throws(KeyError) in
                        Secret(try key.secret(of: params, pin: pin, .system))
                    }
                )
            }
        } catch let error as TPMError {
            return .failed(error)
        } catch let error as KeyError {
            return .keyFailed(error)
        } catch {
            return .failed(.outOfMemory)
        }
    }

    private static func lockout(_ params: TPM2Params?, _ tpm: TPM) throws(TPMError) -> TPMLockout {
        if let params { try params.find(tpm) }
        return try tpm.lockout()
    }

    private static func seal(_ secret: Secret, _ auth: Secret?, _ registers: UInt32, _ tpm: TPM)
        throws(TPMError) -> TPM2Params
    {
        guard let auth else {
            return try TPM2Params.seal(secret, auth: [UInt8](), registers: registers, tpm)
        }
        return try TPM2Params.seal(secret, auth: auth, registers: registers, tpm)
    }

    private static func open(_ params: TPM2Params, _ auth: Secret?, _ tpm: TPM) throws(TPMError)
        -> SecretBytes
    {
        guard let auth else { return try params.open(auth: [UInt8](), tpm) }
        return try params.open(auth: auth, tpm)
    }

    /// Reads stdin to its end, but at most one byte more than a request may have.
    private static func input() throws(CryptoError) -> SecretBytes {
        var bytes = try SecretBytes(count: HardwareMessage.limit + 1)
        var count = 0
        while count < bytes.count {
            let got = bytes.withMutableBytes { bytes in
                unsafe bytes.withUnsafeMutableBytes { bytes in
                    let room = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
                    return unsafe read(STDIN_FILENO, room.baseAddress, room.count)
                }
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { break }
            count += got
        }
        return try bytes.slice(0..<count)
    }

    private static func output(_ bytes: borrowing SecretBytes) -> Bool {
        bytes.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { bytes in
                // A pipe has room for a whole response.
                unsafe write(STDOUT_FILENO, bytes.baseAddress, bytes.count) == bytes.count
            }
        }
    }
}
