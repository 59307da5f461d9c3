internal import ArgumentParser

/// The options of every `setup` command.
struct SetupOptions: ParsableArguments {
    @Flag(help: "Check whether everything is in place; change nothing.")
    var check = false
    @Flag(name: .customLong("print"), help: "Print what would change, as diff -u does, and change nothing.")
    var prints = false
    @Flag(help: "Remove what was added.")
    var undo = false

    func validate() throws {
        guard [check, prints, undo].count(where: { $0 }) <= 1 || (prints && undo && !check) else {
            throw ValidationError("--check, --print and --undo exclude each other")
        }
    }
}
