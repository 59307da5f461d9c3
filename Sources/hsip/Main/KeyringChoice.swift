internal import ArgumentParser

/// The values of an option, among them the desktop's keyring; its old word `secret-service` is still read.
protocol KeyringChoice: ExpressibleByArgument, RawRepresentable where RawValue == String {}

extension KeyringChoice {
    init?(argument: String) {
        self.init(rawValue: argument == "secret-service" ? "keyring" : argument)
    }
}
