/// Where sealed rows are read from: one consistent snapshot of a table, a bucket, a directory.
///
/// What it hands over is not trusted; `Sealer` decides. Rows come ascending by the bytes of their id.
package protocol RowSource {
    /// One row, with or without its body; nil when there is none.
    func row(_ id: RowID, withBody: Bool) throws(StoreError) -> SealedRow?

    /// Visits id and seal of every row whose id begins with the bits of a lane.
    func eachSeal(
        inLane lane: Int,
        _ visit: (_ id: RawSpan, _ seal: RawSpan) throws(StoreError) -> Void
    ) throws(StoreError)

    /// Visits id, seal and meta of every row.
    func eachMeta(
        _ visit: (_ id: RawSpan, _ seal: RawSpan, _ meta: RawSpan) throws(StoreError) -> Void
    ) throws(StoreError)
}
