/* hsip.h: the vault of HSIP for programs in C, and in languages that can call C.
 *
 * Link with -lhsip (pkg-config: hsip). The soname is libhsip.so.1: what stands here is only added to.
 *
 * OWNERSHIP. What goes in is borrowed for the time of the call; no pointer of yours is kept, but for `ask` and
 * `ctx` of the options, until hsip_close. What comes out in an hsip_bytes is ours: locked memory that is wiped and
 * freed by hsip_bytes_free, once. A call sets its hsip_bytes to {NULL, 0} first without a look at it, so free the old
 * ones before; after a failure they still are. Before the first call fill them
 * with nothing or with zeros, as you like.
 *
 * POINTERS may be NULL everywhere without harm; where one is needed, NULL gives HSIP_USAGE (the calls that return a
 * pointer give NULL, and false the one that returns a bool). Two results of one call need two places: the same for both
 * gives HSIP_USAGE. Texts are UTF-8. Names end with a zero byte; at most 255 bytes of them are read.
 *
 * THREADS. Every call may be made from every thread. Calls on one vault are done one after the other; calls on two
 * run side by side. A vault that was closed, or never was one, gives HSIP_USAGE and nothing worse.
 *
 * FORK. A vault does not survive fork(): in the child every call on it, and hsip_open if the parent had opened
 * one before, gives HSIP_UNAVAILABLE, and hsip_close does nothing. Open after the fork, or exec. The child's memory
 * is a copy of the parent's, keys included, until it execs or ends. The six calls at the end know no vault and work
 * in a child, too.
 *
 * WAITING. A call waits at most `timeout_ms` for its turn and as long again for its end, without the time that `ask`
 * takes; then it gives HSIP_BUSY, and whether it will still be done is not known. The library has threads of its own,
 * which block every signal that is not an error of theirs. Do not call it from a signal handler.
 *
 * IT NEVER writes to stdout or stderr, installs signal handlers, changes the environment or the locale, ends the
 * process, or throws through C. It reads the environment when a vault is opened: HOME, XDG_*, HSIP_VAULT,
 * HSIP_PASSPHRASE_FILE, CREDENTIALS_DIRECTORY, DBUS_SESSION_BUS_ADDRESS; do not change it meanwhile.
 *
 * LIMITS. A value of a secret has at most 1 MiB, a message to seal 1,048,515 bytes, a text to read 2 MiB, a request in JSON 64 KiB, an answer
 * to a question 4 KiB.
 */
#ifndef HSIP_H
#define HSIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__) && defined(__has_feature)
#if __has_feature(nullability)
#define HSIP_NULLABLE _Nullable
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#pragma clang diagnostic ignored "-Wunknown-warning-option"
#endif
#endif
#ifndef HSIP_NULLABLE
#define HSIP_NULLABLE
#define HSIP_NO_NULLABILITY
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* How a call ended. The numbers are those with which the program hsip exits (Schemas/exit-codes.json). */
typedef int32_t hsip_status;

enum {
    HSIP_OK = 0,             /* done */
    HSIP_FAILURE = 1,        /* unexpected; a fault of the library */
    HSIP_USAGE = 2,          /* a call that cannot be meant so: a NULL, a vault that is closed, bad JSON */
    HSIP_NOT_FOUND = 3,      /* no such vault, contact, session, secret, or no message for this vault in the text */
    HSIP_CONFLICT = 4,       /* a name is taken, something changed meanwhile, a code that no longer fits */
    HSIP_LOCKED = 5,         /* the vault is locked and no one could be asked */
    HSIP_DENIED = 6,         /* refused: by a rule, by the person, by a revocation, or a wrong passphrase */
    HSIP_INPUT_NEEDED = 7,   /* a person has to decide; several codes or messages where one was meant */
    HSIP_EXPIRED = 8,        /* past its time, or from the future */
    HSIP_REKEY_REQUIRED = 9, /* renew the session first: hsip_pair makes the code to send */
    HSIP_BUSY = 10,          /* not in time: another process, the agent, the keyring or the person */
    HSIP_INTEGRITY = 11,     /* changed on the way, a wrong signature, a vault that was put back */
    HSIP_UNAVAILABLE = 12,   /* agent, keyring, disk or memory not to be had; a forked child */
    HSIP_MALFORMED = 13,     /* not a readable code, message, name or text, or one of a newer program */
    HSIP_REPLAY = 14,        /* a message that was read before, a code that another person used */
    HSIP_CHANGED = 15        /* another identity than the pinned one, a VERIFY that does not match */
};

/* An open vault. A name for it, not an address: do not look inside. */
typedef struct hsip_vault hsip_vault;

/* Bytes that the library hands over. `data` is NULL for none and ends with one more byte, 0, that `size` does not
 * count; a text may hold zero bytes before it. */
typedef struct {
    uint8_t *HSIP_NULLABLE data;
    size_t size;
} hsip_bytes;

/* Asks the person, in the thread that made the call, while it waits. It must not use the vault that asks
 * (HSIP_USAGE). It is never called after hsip_close, nor when it is NULL.
 *
 * `question` is UTF-8, lines between line feeds, the last one the question itself. Show it as it is.
 *
 * With `cap` above 0 a secret is asked for (a passphrase or the recovery code): write it to `answer`, whose `cap`
 * bytes are locked memory that is wiped afterwards, and return how many bytes it has. With `cap` 0, where `answer`
 * is NULL, the answer is yes or no: return 1 for yes.
 * In both cases 0 is no, and a negative number says that no one can be asked. */
typedef int32_t (*hsip_ask)(void *HSIP_NULLABLE ctx, const char *HSIP_NULLABLE question, char *HSIP_NULLABLE answer,
                            size_t cap);

/* How a vault is opened. Set all of it to zero and `size` to sizeof(hsip_options): what is zero has its usual value. */
typedef struct {
    uint32_t size;                     /* sizeof(hsip_options): by it an older program and a newer library agree */
    const char *HSIP_NULLABLE vault;   /* a name, or a path with a slash; NULL: $HSIP_VAULT, else "vault" */
    const char *HSIP_NULLABLE program; /* who asks, for people: at most 40 bytes, without control characters */
    hsip_ask HSIP_NULLABLE ask;        /* NULL: no one is ever asked */
    void *HSIP_NULLABLE ctx;           /* for `ask` */
    uint32_t timeout_ms;               /* 0: 120,000 */
} hsip_options;

/* Opens a vault: through its agent where one listens, else in this process. `options` may be NULL.
 *
 * A vault that is locked is opened by the first of these that applies: $HSIP_PASSPHRASE_FILE, the credential
 * hsip.passphrase of a systemd unit, a key slot in a keyring that is open, `ask` (three tries). An agent is asked for
 * its own ways first, and goes on to serve all callers. An agent that locks later asks again, in the call that needs it.
 *
 * In this process, the key of the vault lies in this process's memory until hsip_close; so do two copies of a fork.
 * HSIP_NOT_FOUND without a vault (nothing is ever made), HSIP_LOCKED when no one could be asked, HSIP_DENIED for a
 * wrong passphrase, HSIP_UNAVAILABLE for options of a newer library, and as the program hsip ends. */
hsip_status hsip_open(const hsip_options *HSIP_NULLABLE options, hsip_vault *HSIP_NULLABLE *HSIP_NULLABLE out);

/* Ends it: waits for a call in another thread, wipes what was opened in this process, forgets the connection to an
 * agent, which stays open for the others. NULL and a vault that is closed are nothing. */
void hsip_close(hsip_vault *HSIP_NULLABLE vault);

/* My next code for `contact`, as `hsip pair` shows it: one line, without a line feed. With NULL a new offer to a person
 * new. It is in the vault before it is here; the same code comes again as long as it holds. After a restore new keys
 * are shown once; the next call makes an offer, since the contact may have left the keys that they are under. */
hsip_status hsip_pair(hsip_vault *HSIP_NULLABLE vault, const char *HSIP_NULLABLE contact,
                      hsip_bytes *HSIP_NULLABLE code);

/* Takes the one code in a text: alone, in words around it, in a link, or in an HSIP message.
 *
 * `save_as` names a new contact; the name of a contact means that it must be this one; NULL takes the name in the code.
 * `reply` is my code to send back, or nothing. `json` is what `hsip accept --json` prints, also after a failure (then
 * with "ok":false and the reason). Both may be NULL. What only a person may decide is refused, as with --no-input: a
 * VERIFY is compared and reported, and trust never changes here. Several different codes are HSIP_INPUT_NEEDED. */
hsip_status hsip_accept(hsip_vault *HSIP_NULLABLE vault, const char *HSIP_NULLABLE text, size_t size,
                        const char *HSIP_NULLABLE save_as, hsip_bytes *HSIP_NULLABLE reply,
                        hsip_bytes *HSIP_NULLABLE json);

/* Seals one text for a contact: UTF-8 without zero bytes, taken as it is, also empty. `message` is the compact form,
 * one line without a line feed. Its number is durable before it is here. `remaining`, if not NULL, is how many are left
 * under this key. The last number used is HSIP_REKEY_REQUIRED: send what hsip_pair(contact) makes. */
hsip_status hsip_encrypt(hsip_vault *HSIP_NULLABLE vault, const char *HSIP_NULLABLE contact,
                         const char *HSIP_NULLABLE text, size_t size, hsip_bytes *HSIP_NULLABLE message,
                         uint32_t *HSIP_NULLABLE remaining);

/* Flags of hsip_decrypt. */
enum {
    HSIP_REREAD = 1, /* also a message that was read before; else HSIP_REPLAY */
    HSIP_STEALTH = 2 /* also base64 without a lock before it */
};

/* Opens the one message in a text; words around it do not matter. Several are HSIP_INPUT_NEEDED and none is opened, as
 * opening marks it as read. `sender`, if not NULL, is the name of its sender. Your own message cannot be read
 * again: HSIP_NOT_FOUND. Other flags are HSIP_USAGE. */
hsip_status hsip_decrypt(hsip_vault *HSIP_NULLABLE vault, const char *HSIP_NULLABLE text, size_t size, uint32_t flags,
                         hsip_bytes *HSIP_NULLABLE plain, hsip_bytes *HSIP_NULLABLE sender);

/* One value of a secret, exactly the bytes that were put in. `field` NULL is the one that its type means (the password of
 * a login). An agent may ask the person first, as its policy says. A secret past its time is HSIP_EXPIRED, and none of it is
 * given: a program that no one watches should stop there. `hsip secret get` warns and gives it; hsip_secret_read can. */
hsip_status hsip_secret_get(hsip_vault *HSIP_NULLABLE vault, const char *HSIP_NULLABLE name,
                            const char *HSIP_NULLABLE field, hsip_bytes *HSIP_NULLABLE value);

/* Flags of hsip_secret_read. */
enum {
    HSIP_EVEN_EXPIRED = 1 /* also a secret that is past its time; else HSIP_EXPIRED */
};

/* The same, of a version before the present one by its number, or of the present one by 0. `expires_at`, if not NULL, is when
 * the secret ends, in Unix seconds, or 0 for never; it is set with HSIP_EXPIRED, too. Other flags are HSIP_USAGE. */
hsip_status hsip_secret_read(hsip_vault *HSIP_NULLABLE vault, const char *HSIP_NULLABLE name,
                             const char *HSIP_NULLABLE field, uint32_t version, uint32_t flags,
                             hsip_bytes *HSIP_NULLABLE value, int64_t *HSIP_NULLABLE expires_at);

/* Writes one value, at most 1 MiB: a new version of the secret, whose other fields stay, or a new login if there is none
 * of that name. The same value again changes nothing. */
hsip_status hsip_secret_set(hsip_vault *HSIP_NULLABLE vault, const char *HSIP_NULLABLE name,
                            const char *HSIP_NULLABLE field, const uint8_t *HSIP_NULLABLE value, size_t size);

/* Everything else, as far as it needs neither the value of a secret nor a person, and leaves nothing outside the vault: one
 * JSON object in, one out.
 *
 *     {"command":"contact show","name":"bob"}
 *     {"hsip":1,"command":"contact show","ok":true,"data":{...},"warnings":[]}
 *
 * `reply_json` is what the program prints with --json (Schemas/cli), one line; there it is, too, after a failure of the
 * command, where `error.code`, `message` and `details` are the program's, and `hint` is that of hsip_hint or null.
 *
 * Commands and their members, texts or true and false; those in brackets may be left out:
 *
 *     version                   identity show
 *     contact list              [trash]
 *     contact show              name
 *     contact set               name [alias] [note] [requireVerified]: what is left out stays
 *     contact rm                name: ends the sessions, too; data.notice is what to send, or null
 *     contact restore           name
 *     session list
 *     session show              name
 *     session rotate            name: data.code is the ROTATE or ACCEPT that is due
 *     pair                      closeAll, which must be true: hsip_pair makes codes
 *     secret list               [query] [tag] [type] [trash]
 *     secret show               name [trash]
 *     secret mv                 name to
 *     secret rm                 name
 *     secret restore            name
 *     ssh key list              [trash]
 *     ssh key show              name (or fingerprint) [trash]
 *     ssh host list             [keys] [trash]
 *     ssh host show             name (of a profile, or as in known_hosts) [trash]
 *
 * Another command is HSIP_NOT_FOUND, a member that the command does not have is HSIP_USAGE. Names count as they stand; no
 * beginning of one will do. What is not here asks a person (session revoke, verify, rules, slots), shows or takes values
 * (secret get and set have calls of their own), writes files (export, import, ssh key generate), or is about programs and
 * machines (agent, setup, doctor, status): that is the program's. */
hsip_status hsip_call(hsip_vault *HSIP_NULLABLE vault, const char *HSIP_NULLABLE request_json,
                      hsip_bytes *HSIP_NULLABLE reply_json);

/* Wipes and frees what a call handed over, and sets it to {NULL, 0}. NULL and {NULL, 0} are nothing. */
void hsip_bytes_free(hsip_bytes *HSIP_NULLABLE bytes);

/* The name of a status as JSON spells it, "rekeyRequired"; "unknown" for another number. Never NULL; not to be freed. */
const char *HSIP_NULLABLE hsip_status_name(hsip_status status);

/* What this thread's last call that returned a status was refused for, as the command line says it,
 *
 *     there is no contact named “carol”
 *
 * or "" after HSIP_OK. In UTF-8, one line for a person, cut at 2,047 bytes; names and paths may stand in it, never a value. Good
 * until the thread's next such call. Never NULL; not to be freed. */
const char *HSIP_NULLABLE hsip_last_error(void);

/* What would help after this thread's last call that returned a status, if an agent refused it: one command for a person, such
 * as the rule that would let this program read the secret,
 *
 *     hsip agent rule add scripts allow --kind read --subject registry/ci --for 1h
 *
 * or "" for none. Good until the thread's next such call. Never NULL; not to be freed. Show it, never run it. */
const char *HSIP_NULLABLE hsip_hint(void);

/* The version of the library, "0.1.0". Never NULL; not to be freed. */
const char *HSIP_NULLABLE hsip_version(void);

/* The calls of older HSIP programs: no vault, no counter, no memory of what was sent or read, raw keys. Byte for byte
 * what those programs read and write (Schemas/messages.md). For everything new there is hsip_encrypt: a program that uses these
 * has to see to it that a key seals few messages, that none is taken twice, and that the key is a secret at all.
 * NULL on any failure. The texts they return are freed by hsip_ios_free_string, by nothing else. */

/* Does nothing; always true. */
bool hsip_ios_init(void);

/* Seals a text with a random nonce: the lock and base64. `key` and `peer_id` have 32 bytes; `peer_id` becomes the
 * sender field of the header, in clear. NULL for a text that is not UTF-8, or above 1,048,515 bytes. */
char *HSIP_NULLABLE hsip_ios_encrypt(const char *HSIP_NULLABLE plaintext, const uint8_t *HSIP_NULLABLE key,
                                     const uint8_t *HSIP_NULLABLE peer_id);

/* Opens a message in any of its forms with a key of 32 bytes: first exactly as the older programs read, then, only if
 * that is no message, the line that decodes. NULL for a wrong key, and for a text with a zero byte in it. */
char *HSIP_NULLABLE hsip_ios_decrypt(const char *HSIP_NULLABLE encrypted, const uint8_t *HSIP_NULLABLE key);

/* Whether a lock (U+1F512) or "[HSIP" is in the text; false for NULL and for what is not UTF-8. */
bool hsip_ios_contains_message(const char *HSIP_NULLABLE text);

/* Wipes and frees. NULL is nothing. */
void hsip_ios_free_string(char *HSIP_NULLABLE s);

/* The six emoji that older programs show for two public keys of 32 bytes each, single spaces between; the same for both
 * sides. It matches theirs and proves nothing: 35 bits are quickly tried. Compare by `hsip verify`. */
char *HSIP_NULLABLE hsip_ios_get_emoji_fingerprint(const uint8_t *HSIP_NULLABLE ours,
                                                   const uint8_t *HSIP_NULLABLE theirs);

#ifdef __cplusplus
}
#endif

#ifdef HSIP_NO_NULLABILITY
#undef HSIP_NO_NULLABILITY
#else
#pragma clang diagnostic pop
#endif
#undef HSIP_NULLABLE

#endif
