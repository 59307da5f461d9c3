internal import Glibc

/// Programs of ours, by where they are installed.
package enum InstalledProgram {
    /// The file that is running; nil when it is gone.
    package static var running: String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = unsafe readlink("/proc/self/exe", &bytes, bytes.count - 1)
        guard count > 0 else { return nil }
        let path = String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return Path.resolved(path) == path ? path : nil
    }

    /// Another of our programs: beside this one, else where packages put it.
    package static func path(of name: String) -> String? {
        let beside = running.map { Path.folder(of: $0) + "/" + name }
        return [beside, "/usr/libexec/" + name].compactMap(\.self).first { unsafe access($0, X_OK) == 0 }
    }
}
