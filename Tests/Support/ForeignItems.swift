internal import Foundation

/// Items of other programs, written as the file of a GNOME keyring without a password: making thousands of
/// them over the bus takes minutes.
enum ForeignItems {
    /// Writes the only keyring of a folder, and makes it the default one.
    ///
    /// - Parameters:
    ///   - count: How many items there are.
    ///   - length: How many characters each secret has at least.
    ///   - mark: An attribute of each, whose value is `1`; none when nil.
    ///   - folder: The folder of keyrings, which is made where it is missing.
    /// - Throws: What the file system refuses.
    static func write(_ count: Int, length: Int, mark: String?, to folder: String) throws {
        let filling = String(repeating: "x", count: length)
        let mark = mark.map { "\n[NUMBER:attribute2]\nname=\($0)\ntype=string\nvalue=1\n" } ?? ""
        var text = "[keyring]\ndisplay-name=Desk\nctime=0\nmtime=0\nlock-on-idle=false\nlock-after=false\n"
        for number in 1...count {
            text += """

                [\(number)]
                item-type=0
                display-name=Somebody else's item \(number)
                secret=foreign \(number)\(filling)
                mtime=1700000000
                ctime=1700000000

                [\(number):attribute0]
                name=number
                type=string
                value=\(number)

                [\(number):attribute1]
                name=xdg:schema
                type=string
                value=org.example.Foreign
                \(mark.replacingOccurrences(of: "NUMBER", with: "\(number)"))
                """
        }
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/desk.keyring"))
        try Data("desk".utf8).write(to: URL(fileURLWithPath: folder + "/default"))
    }
}
