internal import CFIDOLoader
internal import Glibc
package import RecordStore

/// A place where a security key is plugged in.
package struct KeyPort: Equatable, Sendable {
    /// The device node.
    package let path: String
    /// What the maker calls it; foreign text.
    package let product: String
    /// Who made it; foreign text.
    package let maker: String

    /// A place by its parts.
    package init(path: String, product: String, maker: String) {
        self.path = path
        self.product = product
        self.maker = maker
    }
}

/// Where security keys are looked for, and how they are reached.
@safe package struct KeyPorts: Sendable {
    /// Most keys that are looked at.
    package static let maximum = 16

    /// Why keys are not found.
    package typealias Failure = KeyError

    let list: @Sendable () throws(Failure) -> [KeyPort]
    let prepare: @Sendable (_ device: OpaquePointer) -> Int32

    /// Ports that a test makes up: `prepare` gets a `fido_dev_t` before it is opened.
    package init(
        list: @escaping @Sendable () throws(Failure) -> [KeyPort],
        prepare: @escaping @Sendable (_ device: OpaquePointer) -> Int32
    ) {
        self.list = list
        unsafe self.prepare = prepare
    }

    /// The keys on USB that this login may use.
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
        // The library leaves out what it may not open.
        if ports.isEmpty, isAnyDenied { throw .denied }
        return ports
    }

    /// Whether a device of the usage page of FIDO (F1D0) is there that this login may not open.
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
