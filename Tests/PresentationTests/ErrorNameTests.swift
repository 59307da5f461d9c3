import Foundation
import Presentation
import Support
import Testing

/// The lists in Schemas are made from the tables of the program; `Scripts/errors` writes them again.
struct ErrorNameTests {
    /// A list with one object a line, as people and programs read it.
    private static func list(_ name: String, _ rows: [[(String, String)]]) -> String {
        let lines = rows.map { row in
            "    {" + row.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}"
        }
        return "{\n  \"\(name)\": [\n" + lines.joined(separator: ",\n") + "\n  ]\n}\n"
    }

    /// Names in lines of at most 120 characters.
    private static func names(_ names: [String]) -> String {
        var lines = [""]
        for name in names.map({ "\"\($0)\"" }) {
            let line = lines[lines.count - 1]
            if line.count + name.count > 108 {
                lines.append(name)
            } else {
                lines[lines.count - 1] = line.isEmpty ? name : "\(line), \(name)"
            }
        }
        return lines.joined(separator: ",\n        ")
    }

    private static func quoted(_ text: some CustomStringConvertible) -> String { "\"\(text)\"" }

    private static let errors = list(
        "errors",
        ErrorName.allCases.map {
            [("name", quoted($0.rawValue)), ("exit", "\($0.exitCode)"), ("meaning", quoted($0.meaning))]
        }
    )
    private static let exitCodes = list(
        "codes",
        ExitCode.allCases.map {
            [("code", "\($0.rawValue)"), ("name", quoted($0.name)), ("meaning", quoted($0.meaning))]
        }
    )

    private static func schema(_ warnings: [String]) -> String {
        """
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "The names of errors and warnings",
          "description": "Made by Scripts/errors from errors.json and warnings.json",
          "$defs": {
            "error": {
              "description": "A name of errors.json",
              "type": "string",
              "enum": [
                \(names(ErrorName.allCases.map(\.rawValue)))
              ]
            },
            "warning": {
              "description": "A name of warnings.json",
              "type": "string",
              "enum": [
                \(names(warnings))
              ]
            }
          }
        }

        """
    }

    @Test func `the lists of errors, exit codes and names say what the program has`() throws {
        let file = try #require(try StoreVectors.schema("warnings.json") as? [String: [[String: String]]])
        let warnings = (file["warnings"] ?? []).filter { $0["kind"] != "finding" }
        let lists = [
            "errors.json": Self.errors, "exit-codes.json": Self.exitCodes,
            "cli/names.schema.json": Self.schema(warnings.compactMap { $0["name"] }),
        ]
        for (name, text) in lists {
            let url = URL(filePath: StoreVectors.path(name))
            if ProcessInfo.processInfo.environment["HSIP_WRITE_LISTS"] == "1" {
                try Data(text.utf8).write(to: url)
            }
            #expect(try String(contentsOf: url, encoding: .utf8) == text, "\(name): run Scripts/errors")
            #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [String: Any])
        }
    }

    @Test func `an error ends the program with a code of the table; only a program not started has another`()
    {
        for error in ErrorName.allCases where ExitCode(rawValue: error.exitCode) == nil {
            #expect([126: .programNotExecutable, 127: .programNotFound][error.exitCode] == error)
        }
        #expect(ErrorName.allCases.allSatisfy { $0.exitCode != 0 })
    }

    @Test func `the exit codes are sixteen, with the names of their cases`() {
        #expect(ExitCode.allCases.map(\.rawValue) == Array(0..<16))
        #expect(ExitCode.allCases.allSatisfy { "\($0.name)" == "\($0)" })
    }
}
