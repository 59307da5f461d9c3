/// The vault as a Secret Service, and GNOME Keyring beside it, with as many items each.
struct ServicePair {
    let ours: ServiceSession
    let theirs: ServiceSession
    private let home: SampleHome

    /// Starts both in a new folder.
    ///
    /// Ours is filled over the bus. The keyring is written before its start, since GNOME Keyring writes the whole file for
    /// each item.
    init(items count: Int, _ programs: ServiceRows.Programs, in folder: String) throws {
        try Scratch.makeFolder(folder)
        home = try SampleHome(folder + "/home", hsip: programs.hsip)
        ours = try ServiceSession(folder + "/ours", bus: programs.bus)
        theirs = try ServiceSession(folder + "/theirs", bus: programs.bus)
        try home.startAgent()
        try ours.start(programs.secrets, [], home.variables.map { "\($0)=\($1)" })
        try ours.connect()
        for number in 0..<count { try ours.store(number) }
        try Scratch.makeFolder(folder + "/theirs/keyrings")
        try Scratch.write(Self.keyring(count), to: folder + "/theirs/keyrings/login.keyring")
        try Scratch.write(Array("a password".utf8), to: folder + "/theirs/password")
        try theirs.start(
            programs.keyring,
            ["--unlock", "--components=secrets", "--foreground"],
            ["HOME=\(folder)/theirs", "XDG_DATA_HOME=\(folder)/theirs", "XDG_RUNTIME_DIR=\(folder)/theirs"],
            input: folder + "/theirs/password"
        )
        try theirs.connect()
    }

    /// Lets a program read every item of ours without a question.
    func lets(_ program: String) throws {
        try home.run(
            ["--no-agent", "--yes", "item", "set", "--program", try Scratch.ownPath(), "--reader", program]
        )
    }

    func end() {
        ours.end()
        theirs.end()
        _ = try? home.run(["agent", "stop"])
    }

    /// A keyring without a password, with the items that the client stores; the daemon encrypts it at its first change.
    private static func keyring(_ count: Int) -> [UInt8] {
        var text = "[keyring]\ndisplay-name=Login\nctime=0\nmtime=0\nlock-on-idle=false\nlock-after=false\n"
        for number in 0..<count {
            text += "\n[\(number + 1)]\nitem-type=0\ndisplay-name=A label\n"
            text += "secret=a value of forty bytes, as a token has it\nmtime=1\nctime=1\n"
            let attributes = [
                ("application", "hsip-benchmark"), ("user", "user-\(number)"), ("server", "mail.example.com"),
                ("protocol", "imaps"), ("port", "993"), ("xdg:schema", "org.freedesktop.Secret.Generic"),
            ]
            for (place, (name, value)) in attributes.enumerated() {
                text += "\n[\(number + 1):attribute\(place)]\nname=\(name)\ntype=string\nvalue=\(value)\n"
            }
        }
        return Array(text.utf8)
    }
}
