import Testing

@testable import Setup

/// The settings of docker: one member in and out, and the rest as it was.
@Suite struct DockerSettingsTests {
    private func added(_ text: String) -> String? {
        DockerSettings(Array(text.utf8))?.added.map { String(decoding: $0, as: UTF8.self) }
    }

    private func removed(_ text: String) -> String? {
        DockerSettings(Array(text.utf8))?.removed.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        arguments: [
            ("{}", "{\n\t\"credsStore\": \"hsip\"\n}"), (" { } \n", " {\n\t\"credsStore\": \"hsip\"\n} \n"),
            ("{\"a\":1}", "{\n\t\"credsStore\": \"hsip\",\"a\":1}"),
            (
                "{\n\t\"auths\": {\"x\": {\"credsStore\": \"y\"}}\n}\n",
                "{\n\t\"credsStore\": \"hsip\",\n\t\"auths\": {\"x\": {\"credsStore\": \"y\"}}\n}\n"
            ),
            (
                "{\"a\":\"}\\\"\",\"b\":[1,{\"c\":2}]}",
                "{\n\t\"credsStore\": \"hsip\",\"a\":\"}\\\"\",\"b\":[1,{\"c\":2}]}"
            ),
        ]
    )
    func `the member is put before the others, and taken out again`(text: String, wanted: String) throws {
        #expect(added(text) == wanted)
        #expect(added(wanted) == wanted)
        let bare = text.contains(":") ? text : text.replacing("{ }", with: "{}")
        #expect(removed(wanted) == bare)
    }

    @Test(
        arguments: [
            (#"{"credsStore":"hsip","a":1}"#, #"{"a":1}"#), (#"{"a":1,"credsStore":"hsip"}"#, #"{"a":1}"#),
            (#"{"a":1, "credsStore" : "hsip" , "b":2}"#, #"{"a":1, "b":2}"#),
            (#"{"credsStore":"hsip"}"#, "{}"),
        ]
    )
    func `a member that stands elsewhere is taken out with its comma`(text: String, wanted: String) {
        #expect(removed(text) == wanted)
    }

    @Test(arguments: [#"{"credsStore":"pass"}"#, #"{"credsStore":null}"#, #"{"credsStore":"hsip "}"#])
    func `another keeper stays`(text: String) {
        #expect(added(text) == nil)
        #expect(removed(text) == nil)
        #expect(DockerSettings(Array(text.utf8))?.isSet == false)
        #expect(DockerSettings(Array(text.utf8))?.keeper != nil)
    }

    @Test(
        arguments: [
            "", "[]", "x", "{", "}", "{]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{\"a\":1}x",
            "{\"a\":\"b}", "{\"a\":\"\\", "{\"a\":{}", "{a:1}", "{\"credsStore\":\"a\",\"credsStore\":\"b\"}",
            "{}{}",
        ]
    )
    func `what is no object is left alone`(text: String) {
        #expect(DockerSettings(Array(text.utf8)) == nil)
    }
}
