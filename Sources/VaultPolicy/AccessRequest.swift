/// What a row of the table looks at: an act, its requester, and the owner of the vault.
struct AccessRequest {
    let act: Act
    let requester: Requester
    let owner: UInt32
}
