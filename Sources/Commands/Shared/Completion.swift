package import ArgumentParser

/// Adapts a completion script to each shell.
package enum ShellScript {
    /// The placeholder for the line up to the cursor, and for the part of its last word that the shell completes.
    static let line = "@HSIP_LINE@"
    /// The placeholder for the completion of a program and its arguments.
    static let program = "@HSIP_PROGRAM@"

    /// The script for bash: it completes commands, and files as their arguments.
    package static func bash(_ text: String) -> String {
        text.replacing(line, with: #""${COMP_LINE:0:COMP_POINT}" "${cur}""#)
            .replacing(#"    local -r prev="${3}"\#n"#, with: wholeWords)
            .replacing(
                #"unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")"#,
                with: #"unparsed_words=("${whole[@]:1}")"#
            )
            .replacing(
                #"__hsip_add_completions -W "$(eval '\#(program)')""#,
                with: #"[[ "${positional_number}" -ne 1 ]] || __hsip_add_completions -c"#
                    + "\n        __hsip_add_completions -f"
            )
    }

    /// Bash code that joins words again: Bash also splits words at `:`, `=` and `@`.
    ///
    /// Text without spaces becomes one word, except that `--option=value` becomes two.
    private static let wholeWords = #"""
            local -a whole=()
            local piece rest="${COMP_LINE}" is_value=
            for piece in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
                if [[ "${#whole[@]}" -eq 0 || "${rest}" = [[:space:]]* || -z "${rest}" && -z "${piece}" ]]; then
                    whole+=("${piece}")
                    is_value=
                elif [[ "${piece}" = '=' && "${whole[-1]}" = --* && -z "${is_value}" ]]; then
                    whole+=('')
                    is_value=1
                else
                    whole[-1]+="${piece}"
                fi
                rest="${rest#*"${piece}"}"
            done
            local prev=
            [[ "${#whole[@]}" -lt 2 ]] || prev="${whole[-2]}"

        """#

    /// The script for zsh, which also completes the program's own arguments.
    package static func zsh(_ text: String) -> String {
        text.replacing(line, with: #""${LBUFFER}" "${PREFIX}""#)
            .replacing(
                #"'*:command:{local -a list;list=(${(f)"$(\#(program))"});_describe -V "" list}'"#,
                with: "'*::command:"
                    + #"{[[ "${words[1]}" != -- ]] || { shift words; (( CURRENT-- )) }; _normal}'"#
            )
    }

    /// The script for fish, which also completes the program's own arguments.
    package static func fish(_ text: String) -> String {
        text.replacing(line, with: #""$(commandline -cp)" "$(commandline -ct)""#)
            .replacing(program, with: "__fish_complete_subcommand --fcs-skip=2")
    }
}

/// The kind of thing that a word on the command line names, for shells that complete it.
package enum NameKind: String, ExpressibleByArgument, CaseIterable {
    case contacts, keys, hosts, secrets
    /// The ids of the items of other programs.
    case items
    /// The fields of the secret that is named before them on the line.
    case fields
    /// `vault:NAME` and `vault:NAME#FIELD`, also after a `NAME=`.
    case references
}

extension CompletionKind {
    /// The names of contacts, if the agent is unlocked.
    package static var contacts: CompletionKind { names(.contacts) }
    /// The names of SSH keys.
    package static var keys: CompletionKind { names(.keys) }
    /// The names of host profiles.
    package static var hosts: CompletionKind { names(.hosts) }
    /// The names of secrets, and references to them.
    package static var secrets: CompletionKind { names(.secrets) }
    /// The ids of items of other programs.
    package static var items: CompletionKind { names(.items) }
    /// The fields of a secret.
    package static var fields: CompletionKind { names(.fields) }
    /// References to secrets.
    package static var references: CompletionKind { names(.references) }
    /// A program, and its arguments after it.
    package static var program: CompletionKind { .shellCommand(ShellScript.program) }

    private static func names(_ kind: NameKind) -> CompletionKind {
        .shellCommand("hsip complete \(kind.rawValue) -- \(ShellScript.line) 2>/dev/null")
    }
}
