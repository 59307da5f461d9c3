internal import CommandKit
internal import Console
internal import Programs

extension SSHKeyExport {
    var form: String { format ?? "openssh" }

    func checkWords(_ context: Context) throws {
        guard name == nil || !all else {
            throw Failure.usage("a name and --all exclude each other")
        }
        guard name != nil || all else {
            throw Failure.usage("the name of a key goes here, or --all")
        }
        let forms = isPublic ? ["openssh", "rfc4716"] : KeyExport.Format.allCases.map(\.rawValue)
        guard forms.contains(form) else {
            throw Failure.usage("--format takes \(forms.joined(separator: " or "))")
        }
        guard !certificates || !isPublic && format == nil else {
            throw Failure.usage("--certificates goes with neither --public nor --format")
        }
        guard !isPublic && !certificates || passphrase.isEmpty && !toStdout && !all else {
            throw Failure.usage("--public and --certificates go with no word about private keys")
        }
        try passphrase.check()
        guard !all || !trash && !toStdout else {
            throw Failure.usage("--all goes with neither --trash nor --stdout")
        }
        guard output == nil || !toStdout else {
            throw Failure.usage("one place to write to, please")
        }
        guard !isPublic, !certificates, output == nil else { return }
        guard !all else { throw ConsoleError.inputNeeded(flag: "-o FOLDER") }
        guard !context.isJSON else { throw ConsoleError.inputNeeded(flag: "-o FILE") }
        guard toStdout || !context.console.outputIsTerminal else {
            throw Failure.usage(
                "a private key is not shown on a terminal by accident",
                hint: "-o FILE, or --stdout"
            )
        }
    }
}
