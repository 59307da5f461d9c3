internal import HSIP

/// Different codes in one text: a program that means one of them passes that one alone.
struct SeveralCodes: Error {
    let codes: [ExchangeCode]
}
