internal import Presentation
internal import System

extension SSHKeyExport {
    var form: String { format ?? "openssh" }

    func checkWords(_ context: Context) throws {
        guard name == nil || !all else {
            throw Failure.usage("a name and --all exclude each other")
        }
        guard name != nil || all else {
            throw Failure.usage("name a key, or use --all")
        }
        let forms = isPublic ? ["openssh", "rfc4716"] : KeyExport.Format.allCases.map(\.rawValue)
        guard forms.contains(form) else {
            throw Failure.usage("--format must be \(forms.joined(separator: " or "))")
        }
        guard !certificates || !isPublic && format == nil else {
            throw Failure.usage("--certificates excludes --public and --format")
        }
        guard !isPublic && !certificates || passphrase.isEmpty && !toStdout && !all else {
            throw Failure.usage("--public and --certificates exclude the options for private keys")
        }
        try passphrase.check()
        guard !all || !trash && !toStdout else {
            throw Failure.usage("--all excludes --trash and --stdout")
        }
        guard output == nil || !toStdout else {
            throw Failure.usage("use only one of -o and --stdout")
        }
        guard !isPublic, !certificates, output == nil else { return }
        guard !all else { throw ConsoleError.inputNeeded(flag: "-o FOLDER") }
        guard !context.isJSON else { throw ConsoleError.inputNeeded(flag: "-o FILE") }
        guard toStdout || !context.console.outputIsTerminal else {
            throw Failure.usage(
                "hsip prints a private key on a terminal only with --stdout",
                hint: "-o FILE, or --stdout"
            )
        }
    }
}
