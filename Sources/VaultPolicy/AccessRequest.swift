/// What a row of the table looks at: an act, who wants it done, and whose vault it is.
struct AccessRequest {
    let act: Act
    let requester: Requester
    let owner: UInt32
}
