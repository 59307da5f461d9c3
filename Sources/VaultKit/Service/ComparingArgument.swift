/// An argument that may want a value of the vault to be what it says, and so finds out whether it is.
protocol ComparingArgument {
    /// It does.
    var comparesValues: Bool { get }
}

extension CredentialCondition: ComparingArgument {
    var comparesValues: Bool { if case .holds = self { true } else { false } }
}

extension CredentialChange: ComparingArgument {
    var comparesValues: Bool { condition.comparesValues }
}
