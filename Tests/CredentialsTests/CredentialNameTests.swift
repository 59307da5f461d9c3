import Credentials
import Testing

/// Names of credentials, and those with a number behind them.
struct CredentialNameTests {
    @Test(arguments: [
        ("a", 2, "a-2"), (String(repeating: "x", count: 246), 2, String(repeating: "x", count: 246) + "-2"),
        (String(repeating: "x", count: 248), 10, String(repeating: "x", count: 245) + "-10"),
        (String(repeating: "é", count: 124), 2, String(repeating: "é", count: 123) + "-2"),
    ])
    func `a number stands behind the name, and the end of a long one gives way`(
        name: String,
        number: Int,
        numbered: String
    ) {
        #expect(CredentialName.numbered(name, number) == numbered)
    }

    @Test(arguments: [String(repeating: "👩‍👩‍👧‍👦", count: 9), String(repeating: "x ", count: 124).dropLast() + "y"])
    func `what is numbered is a name`(name: String) {
        for number in [2, 99, 100_000] {
            #expect(CredentialName.isValid(CredentialName.numbered(name, number)))
        }
    }
}
