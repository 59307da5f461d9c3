/// A view of sealed rows that fulfils the contract.
package struct SealedReader: RecordReader {
    private let sealer: Sealer
    private let source: any RowSource
    package let floor: UInt64
    package let generation: UInt64

    /// A view of a snapshot whose head has been observed.
    package init(_ sealer: Sealer, _ source: any RowSource, _ head: HeadContent) {
        self.sealer = sealer
        self.source = source
        floor = head.floor
        generation = head.generation
    }

    package func find(_ id: RecordID) throws(StoreError) -> Record? {
        try sealer.find(id, source)
    }

    package func info(_ id: RecordID) throws(StoreError) -> RecordInfo? {
        try sealer.info(id, source)
    }

    package func list(_ kind: RecordKind?, where attributes: Attributes) throws(StoreError) -> [RecordInfo] {
        try sealer.list(kind, where: attributes, source)
    }

    package func survey(
        _ kind: RecordKind?,
        where attributes: Attributes
    ) throws(StoreError) -> RecordSurvey {
        try sealer.survey(kind, where: attributes, source)
    }
}
