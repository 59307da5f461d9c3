internal import CFIDOLoader
internal import Glibc
package import RecordStore

/// A security key that is plugged in.
package struct KeyPort: Equatable, Sendable {
    /// The path of the device node.
    package let path: String
    /// The product name that the device reports; foreign text.
    package let product: String
    /// The maker that the device reports; foreign text.
    package let maker: String

    /// Makes a port from its parts.
    package init(path: String, product: String, maker: String) {
        self.path = path
        self.product = product
        self.maker = maker
    }
}

/// Finds security keys, and prepares connections to them.
@safe package struct KeyPorts: Sendable {
    /// The most keys that are examined.
    package static let maximum = 16

    /// The error type of a search for keys.
    package typealias Failure = KeyError

    let list: @Sendable () throws(Failure) -> [KeyPort]
    let prepare: @Sendable (_ device: OpaquePointer) -> Int32

    /// Makes ports for a test: `prepare` gets a `fido_dev_t` before it is opened.
    package init(
        list: @escaping @Sendable () throws(Failure) -> [KeyPort],
        prepare: @escaping @Sendable (_ device: OpaquePointer) -> Int32
    ) {
        self.list = list
        unsafe self.prepare = prepare
    }

    /// The keys on USB that this user may open.
    package static let usb = unsafe KeyPorts(list: manifest, prepare: { _ in 0 })

    @Sendable private static func manifest() throws(KeyError) -> [KeyPort] {
        guard let table = unsafe hsip_fido_load() else { throw .noLibrary }
        let calls = unsafe table.pointee
        var list = unsafe calls.fido_dev_info_new(maximum)
        guard let first = unsafe list else { throw .outOfMemory }
        defer { unsafe calls.fido_dev_info_free(&list, maximum) }
        var count = 0
        let code = unsafe calls.fido_dev_info_manifest(first, maximum, &count)
        guard code == 0 else { throw KeyError(code: code) }
        var ports: [KeyPort] = []
        for index in 0..<min(count, maximum) {
            guard let info = unsafe calls.fido_dev_info_ptr(first, index),
                let path = unsafe calls.fido_dev_info_path(info)
            else { continue }
            let product = unsafe calls.fido_dev_info_product_string(info).map { unsafe String(cString: $0) }
            let maker = unsafe calls.fido_dev_info_manufacturer_string(info).map {
                unsafe String(cString: $0)
            }
            ports.append(
                KeyPort(path: unsafe String(cString: path), product: product ?? "", maker: maker ?? "")
            )
        }
        // The library omits devices that it may not open.
        if ports.isEmpty, isAnyDenied { throw .denied }
        return ports
    }

    /// True if there is a device of the FIDO usage page (F1D0) that this user may not open.
    private static var isAnyDenied: Bool {
        (0..<64).contains { number in
            var descriptor = [UInt8](repeating: 0, count: 5)
            let file = unsafe open(
                "/sys/class/hidraw/hidraw\(number)/device/report_descriptor",
                O_RDONLY | O_CLOEXEC
            )
            guard file >= 0 else { return false }
            let count = unsafe read(file, &descriptor, descriptor.count)
            close(file)
            guard count == 5, descriptor == [0x06, 0xD0, 0xF1, 0x09, 0x01] else { return false }
            return unsafe access("/dev/hidraw\(number)", R_OK | W_OK) != 0 && errno == EACCES
        }
    }
}
