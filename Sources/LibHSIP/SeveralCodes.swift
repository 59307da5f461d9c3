internal import HSIP
internal import Presentation

/// Different codes in one text: a program that means one of them passes that one alone.
struct SeveralCodes: Explainable {
    let codes: [ExchangeCode]

    var explanation: ErrorText {
        ErrorText(
            .severalCodes,
            HSIPError.severalCodes.explanation.message,
            details: [
                "codes": .list(codes.map { ["kind": .text($0.kind.hrp), "code": .text($0.text)] })
            ]
        )
    }
}
