internal import CBareSecret
internal import Glibc

/// A session bus of its own with a Secret Service on it, and a client.
///
/// Everything ends with `end`.
@safe final class ServiceSession {
    /// How often a service is asked whether it answers, and the pause between in microseconds.
    private static let (tries, pause): (Int, useconds_t) = (1_500, 20_000)

    /// Where the bus listens.
    let address: String
    private let folder: String
    private var children: [pid_t] = []
    private var client: OpaquePointer?

    /// Starts the bus in a folder that is made for it.
    init(_ folder: String, bus daemon: String) throws {
        self.folder = folder
        try Scratch.makeFolder(folder)
        address = "unix:path=\(folder)/bus"
        let text = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>\(address)</listen>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
              </policy>
              <limit name="max_match_rules_per_connection">50000</limit>
              <limit name="max_replies_per_connection">50000</limit>
            </busconfig>

            """
        try Scratch.write(Array(text.utf8), to: folder + "/bus.conf")
        try start(daemon, ["--config-file=\(folder)/bus.conf", "--nofork", "--nosyslog", "--nopidfile"], [])
        for _ in 0..<Self.tries where unsafe access(folder + "/bus", F_OK) != 0 { usleep(Self.pause) }
    }

    /// Starts a program on the bus that goes on beside this one.
    func start(
        _ path: String,
        _ words: [String],
        _ variables: [String],
        input: String = "/dev/null"
    ) throws {
        children.append(
            try Child.start(
                path,
                words,
                environment: variables + ["DBUS_SESSION_BUS_ADDRESS=\(address)"],
                input: input
            )
        )
    }

    /// Waits until a service answers, and connects to it.
    func connect() throws {
        for _ in 0..<Self.tries {
            unsafe client = bare_service_open(address)
            if unsafe client != nil { return }
            usleep(Self.pause)
        }
        throw BenchmarkError.keyring
    }

    /// Stores the item of a number.
    func store(_ number: Int, replaces: Bool = false) throws {
        guard unsafe bare_service_store(try connected(), Int32(number), replaces ? 1 : 0) == 0 else {
            throw BenchmarkError.keyring
        }
    }

    /// Searches the item of a number and reads its value.
    func get(_ number: Int) throws {
        guard unsafe bare_service_get(try connected(), Int32(number)) > 0 else {
            throw BenchmarkError.missingRecord
        }
    }

    /// Searches an item that is not there.
    func miss() throws {
        guard unsafe bare_service_search(try connected(), Int32.max) == 0 else {
            throw BenchmarkError.missingRecord
        }
    }

    /// Searches all items, at least so many.
    func findAll(_ count: Int) throws {
        guard unsafe bare_service_search(try connected(), -1) >= count else {
            throw BenchmarkError.missingRecord
        }
    }

    /// Reads so many values in one call.
    func values(_ count: Int) throws {
        guard unsafe bare_service_values(try connected(), Int32(count)) == count else {
            throw BenchmarkError.missingRecord
        }
    }

    /// Reads the value of one item that was found before.
    func value() throws {
        guard unsafe bare_service_value(try connected()) > 0 else { throw BenchmarkError.missingRecord }
    }

    /// Opens and closes a session with a key agreement.
    func agree() throws {
        guard unsafe bare_service_agree(try connected()) == 0 else { throw BenchmarkError.keyring }
    }

    /// Looks the item of a number up by secret-tool, a process from its start to its end.
    func lookup(_ number: Int, secretTool: String) throws {
        _ = try Child.run(
            secretTool,
            ["lookup", "user", "user-\(number)"],
            environment: ["DBUS_SESSION_BUS_ADDRESS=\(address)", "HOME=\(folder)"]
        )
    }

    /// Ends what was started, the bus last.
    func end() {
        if let client = unsafe client { unsafe bare_service_close(client) }
        unsafe client = nil
        for child in children.reversed() {
            kill(child, SIGTERM)
            var status = Int32()
            unsafe waitpid(child, &status, 0)
        }
        children = []
    }

    private func connected() throws -> OpaquePointer {
        guard let client = unsafe client else { throw BenchmarkError.keyring }
        return unsafe client
    }
}
