internal import CTSSLoader
internal import Glibc
package import RecordStore

/// The connection through which commands reach a TPM.
@safe package struct TPMTransport: Sendable {
    /// The error type of a failed connection.
    package typealias Failure = TPMError

    /// Starts a connection as the library's transports do; if the context is NULL, it returns the size of one.
    package typealias Start =
        @Sendable (_ context: UnsafeMutableRawPointer?, _ size: UnsafeMutablePointer<Int>) -> UInt32

    private let prepare: @Sendable () throws(TPMError) -> Start

    /// Makes a transport from `prepare`, for tests that use an emulator instead of the device.
    package init(_ prepare: @escaping @Sendable () throws(Failure) -> Start) {
        unsafe self.prepare = prepare
    }

    /// The device of the kernel's resource manager.
    package static let standard = device("/dev/tpmrm0")

    /// A transport to a device node.
    package static func device(_ path: String) -> TPMTransport {
        unsafe TPMTransport { () throws(TPMError) in
            try check(path)
            guard let start = unsafe hsip_tcti_device() else { throw .noLibrary }
            return { context, size in unsafe start(context, size, path) }
        }
    }

    /// Opens the node once, because the library would not report its error, but print a message.
    private static func check(_ path: String) throws(TPMError) {
        let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor < 0 else {
            close(descriptor)
            return
        }
        switch errno {
        case EACCES, EPERM: throw .denied
        case EBUSY: throw .busy
        default: throw .noTPM
        }
    }

    /// Starts a connection, which the caller ends with `hsip_tcti_end` and `deallocate`.
    func connect() throws(TPMError) -> UnsafeMutableRawPointer {
        let start = unsafe try prepare()
        var size = 0
        var code = unsafe start(nil, &size)
        guard code == 0, size > 0 else { throw .failed(code: code) }
        let context = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        unsafe context.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        code = unsafe start(context, &size)
        guard code == 0 else {
            unsafe context.deallocate()
            throw .failed(code: code)
        }
        return unsafe context
    }
}
