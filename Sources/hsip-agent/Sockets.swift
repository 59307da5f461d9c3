internal import AgentKit
internal import AgentProtocol
internal import Glibc

/// The two sockets of an agent, from the service manager or of its own making.
struct Sockets {
    let control: Listener
    let ssh: Listener

    var all: [Listener] { [control, ssh] }

    /// Takes what was handed over, and makes what is missing.
    init(_ paths: AgentPaths) throws(SystemError) {
        let given = try ServiceManager.listeners(at: ["control": paths.control, "ssh": paths.ssh])
        if given.count < 2 {
            for folder in paths.madeFolders where unsafe mkdir(folder, 0o700) != 0 && errno != EEXIST {
                throw .failed(call: "mkdir", code: errno)
            }
        }
        if let control = given["control"] {
            self.control = control
        } else {
            control = try Listener.bind(path: paths.control)
        }
        if let ssh = given["ssh"] { self.ssh = ssh } else { ssh = try Listener.bind(path: paths.ssh) }
    }

    func remove() { for listener in all { listener.remove() } }
}
