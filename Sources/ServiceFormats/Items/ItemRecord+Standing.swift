package import VaultPolicy

extension ItemRecord {
    /// What the item is to a program; nil is one that is not known, which owns nothing and was granted nothing.
    package func standing(for program: ProgramIdentity?) -> ItemStanding {
        if let program, owner == program { return .own }
        if let program, readers.contains(program) { return .granted }
        return owner == nil ? .nobodys : .others
    }
}
