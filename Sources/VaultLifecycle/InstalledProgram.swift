internal import Glibc

/// Programs of ours, by where they are installed.
package enum InstalledProgram {
    /// The file that is running; nil when it is gone.
    package static var running: String? { file.flatMap { Path.resolved($0) == $0 ? $0 : nil } }

    /// The file that is running, as the kernel names it.
    private static var file: String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = unsafe readlink("/proc/self/exe", &bytes, bytes.count - 1)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Another of our programs: beside this one, else where packages put it.
    ///
    /// After an update the file of this program is gone and its folder has the new programs.
    package static func path(of name: String) -> String? {
        let beside = file.map { Path.folder(of: $0) + "/" + name }
        return [beside, "/usr/libexec/" + name].compactMap(\.self).first { unsafe access($0, X_OK) == 0 }
    }
}
