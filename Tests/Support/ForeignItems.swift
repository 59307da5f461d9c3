internal import Foundation

/// Items of other programs, written as the file of a GNOME keyring without a password: making thousands of
/// them over the bus takes minutes.
enum ForeignItems {
    static func write(_ count: Int, to folder: String) throws {
        var text = "[keyring]\ndisplay-name=Desk\nctime=0\nmtime=0\nlock-on-idle=false\nlock-after=false\n"
        for number in 1...count {
            text += """

                [\(number)]
                item-type=0
                display-name=Somebody else's item \(number)
                secret=foreign \(number)
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
