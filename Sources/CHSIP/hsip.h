/* hsip.h: the vault of HSIP for programs in C, and in languages that can call C.
 *
 * Link with -lhsip (pkg-config: hsip). The soname is libhsip.so.1: later versions only add to this header.
 *
 * OWNERSHIP. The library borrows arguments for the time of the call. It keeps no pointer of yours, except `ask` and
 * `ctx` of the options, until hsip_close. Results in an hsip_bytes belong to the library: locked memory that
 * hsip_bytes_free wipes and frees, once. A call first sets its hsip_bytes to {NULL, 0} without reading it, so free an
 * old result before the call. After a failure it is still {NULL, 0}. You need not initialise an hsip_bytes.
 *
 * POINTERS may be NULL everywhere without harm. If a call needs a pointer and gets NULL, it returns HSIP_USAGE; calls that
 * return a pointer return NULL, and a call that returns a bool returns false. If two results of one call use the same
 * hsip_bytes, the call returns HSIP_USAGE. Texts are UTF-8. Names end with a zero byte; at most 255 bytes of them are read.
 *
 * THREADS. Every call may be made from every thread. Calls on one vault run one after the other; calls on two vaults
 * run side by side. For a closed or invalid vault they return HSIP_USAGE, without harm.
 *
 * FORK. A vault does not survive fork(): in the child every call on it, and hsip_open if the parent had opened
 * one before, returns HSIP_UNAVAILABLE, and hsip_close does nothing. Open after the fork, or exec. The child's memory
 * is a copy of the parent's, keys included, until it execs or ends. The six calls at the end use no vault and also work
 * in a child.
 *
 * WAITING. A call waits at most `timeout_ms` for earlier calls, and as long again for its own end, not counting the time
 * of `ask`. Then it returns HSIP_BUSY, and its work may still be done later. The library has threads of its own, which
 * block every signal except their own errors. Do not call the library from a signal handler.
 *
 * THE LIBRARY NEVER writes to stdout or stderr, installs signal handlers, changes the environment or the locale, ends the
 * process, or throws through C. hsip_open reads the environment: HOME, XDG_*, HSIP_VAULT,
 * HSIP_PASSPHRASE_FILE, CREDENTIALS_DIRECTORY, DBUS_SESSION_BUS_ADDRESS; do not change it meanwhile.
 *
 * LIMITS. A secret's value has at most 1 MiB, a message to seal 1,048,515 bytes, a text to read 2 MiB, a request in
 * JSON 64 KiB, an answer to a question 4 KiB.
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

/* How a call ended. The numbers are the exit codes of the program hsip (Schemas/exit-codes.json). */
typedef int32_t hsip_status;

enum {
    HSIP_OK = 0,             /* done */
    HSIP_FAILURE = 1,        /* unexpected; a fault of the library */
    HSIP_USAGE = 2,          /* a wrong call: a NULL, a closed vault, bad JSON */
    HSIP_NOT_FOUND = 3,      /* no such vault, contact, session, secret, or no message for this vault in the text */
    HSIP_CONFLICT = 4,       /* a used name, a change meanwhile, a code that no longer fits */
    HSIP_LOCKED = 5,         /* the vault is locked and no one could be asked */
    HSIP_DENIED = 6,         /* refused: by a rule, by the person, by a revocation, or a wrong passphrase */
    HSIP_INPUT_NEEDED = 7,   /* a person has to decide; several codes or messages where one was meant */
    HSIP_EXPIRED = 8,        /* past its time, or from the future */
    HSIP_REKEY_REQUIRED = 9, /* renew the session first: hsip_pair makes the code to send */
    HSIP_BUSY = 10,          /* not in time: another process, the agent, the keyring or the person */
    HSIP_INTEGRITY = 11,     /* changed on the way, a wrong signature, a vault that was put back */
    HSIP_UNAVAILABLE = 12,   /* agent, keyring, disk or memory not available; a forked child */
    HSIP_MALFORMED = 13,     /* not a readable code, message, name or text, or a newer program's */
    HSIP_REPLAY = 14,        /* a message that was read before, a code that another person used */
    HSIP_CHANGED = 15        /* another identity than the pinned identity, a VERIFY that does not match */
};

/* An open vault. A name for it, not an address: do not look inside. */
typedef struct hsip_vault hsip_vault;

/* Bytes from the library. `data` is NULL if there are none. A further zero byte follows, which `size` does not count; a
 * text may have zero bytes before it. */
typedef struct {
    uint8_t *HSIP_NULLABLE data;
    size_t size;
} hsip_bytes;

/* Asks the person, in the thread of the call, which waits. The function must not use the vault that asks (HSIP_USAGE).
 * The library does not call it after hsip_close, or if it is NULL.
 *
 * `question` is UTF-8 in lines; the last line is the question itself. Show it unchanged.
 *
 * If `cap` is above 0, ask for a secret (a passphrase or the recovery code): write it to `answer`, which has `cap`
 * bytes of locked memory that is wiped afterwards, and return its number of bytes. If `cap` is 0, `answer` is NULL and
 * the answer is yes or no: return 1 for yes.
 * In both cases return 0 for no, and a negative number if nobody can be asked. */
typedef int32_t (*hsip_ask)(void *HSIP_NULLABLE ctx, const char *HSIP_NULLABLE question, char *HSIP_NULLABLE answer,
                            size_t cap);

/* How a vault is opened. Set everything to zero and `size` to sizeof(hsip_options): zero means the default. */
typedef struct {
    uint32_t size;                     /* sizeof(hsip_options), so that an older program works with a newer library */
    const char *HSIP_NULLABLE vault;   /* a name, or a path with a slash; NULL: $HSIP_VAULT, else "vault" */
    const char *HSIP_NULLABLE program; /* who asks, for people: at most 40 bytes, without control characters */
    hsip_ask HSIP_NULLABLE ask;        /* NULL: no one is ever asked */
    void *HSIP_NULLABLE ctx;           /* for `ask` */
    uint32_t timeout_ms;               /* 0: 120,000 */
} hsip_options;

/* Opens a vault: through its agent if an agent listens, else in this process. `options` may be NULL.
 *
 * The first of these that applies opens a locked vault: $HSIP_PASSPHRASE_FILE, the credential hsip.key or
 * hsip.passphrase of a systemd unit, a key slot in an open keyring, `ask` (three tries). An agent first uses its own
 * ways, and then serves all callers. If an agent locks later, the next call that needs the vault asks again.
 *
 * Without an agent, the vault's key is in this process's memory until hsip_close, and after a fork in both processes.
 *
 * Returns HSIP_NOT_FOUND if the vault does not exist (hsip_open never makes a vault), HSIP_LOCKED if no person could be
 * asked, HSIP_DENIED for a wrong passphrase, HSIP_UNAVAILABLE for options of a newer library, else the exit code of the
 * program hsip for that error. */
hsip_status hsip_open(const hsip_options *HSIP_NULLABLE options, hsip_vault *HSIP_NULLABLE *HSIP_NULLABLE out);

/* Closes a vault: waits for a call in another thread, wipes the keys in this process, and ends the connection to an
 * agent, which stays open for others. Does nothing for NULL and a closed vault. */
void hsip_close(hsip_vault *HSIP_NULLABLE vault);

/* My next code for `contact`, as `hsip pair` shows it: one line, without a line feed. NULL makes a new offer, for someone
 * new. The code is stored before the call returns; a valid code is returned again. After a restore, new keys are shown
 * once. The next call makes an offer, since the contact may have left the keys that protect the new keys. */
hsip_status hsip_pair(hsip_vault *HSIP_NULLABLE vault, const char *HSIP_NULLABLE contact,
                      hsip_bytes *HSIP_NULLABLE code);

/* Accepts the single code in a text: alone, with words around it, in a link, or in an HSIP message.
 *
 * `save_as` names a new contact; an existing contact's name means that the code must be from that contact; NULL uses
 * the name in the code. `reply` is my code to send back, or nothing. `json` is the output of `hsip accept --json`, also
 * after a failure (then with "ok":false and the reason). Both may be NULL. Decisions of a person are refused, as with
 * --no-input: a VERIFY is compared and reported, and trust never changes here. Several different codes are
 * HSIP_INPUT_NEEDED. */
hsip_status hsip_accept(hsip_vault *HSIP_NULLABLE vault, const char *HSIP_NULLABLE text, size_t size,
                        const char *HSIP_NULLABLE save_as, hsip_bytes *HSIP_NULLABLE reply,
                        hsip_bytes *HSIP_NULLABLE json);

/* Seals one text for a contact: UTF-8 without zero bytes, unchanged, also empty. `message` is the compact form, one line
 * without a line feed. Its number is durable before the call returns. `remaining`, if not NULL, is the number of
 * messages left under this key. After the last number, HSIP_REKEY_REQUIRED: send the code of hsip_pair(contact). */
hsip_status hsip_encrypt(hsip_vault *HSIP_NULLABLE vault, const char *HSIP_NULLABLE contact,
                         const char *HSIP_NULLABLE text, size_t size, hsip_bytes *HSIP_NULLABLE message,
                         uint32_t *HSIP_NULLABLE remaining);

/* Flags of hsip_decrypt. */
enum {
    HSIP_REREAD = 1, /* also a message that was read before; else HSIP_REPLAY */
    HSIP_STEALTH = 2 /* also base64 without a lock in front */
};

/* Opens the single message in a text; words around it do not matter. Several messages are HSIP_INPUT_NEEDED and stay
 * closed, as opening marks a message as read. `sender`, if not NULL, is the sender's name. Your own message cannot be
 * read again: HSIP_NOT_FOUND. Other flags are HSIP_USAGE. */
hsip_status hsip_decrypt(hsip_vault *HSIP_NULLABLE vault, const char *HSIP_NULLABLE text, size_t size, uint32_t flags,
                         hsip_bytes *HSIP_NULLABLE plain, hsip_bytes *HSIP_NULLABLE sender);

/* One value of a secret, exactly the stored bytes. `field` NULL is the type's main field (the password of a login). An
 * agent may ask the person first, as its policy says. An expired secret is HSIP_EXPIRED, without a value: a program that
 * nobody watches should stop there. `hsip secret get` warns and prints the value; hsip_secret_read can return it. */
hsip_status hsip_secret_get(hsip_vault *HSIP_NULLABLE vault, const char *HSIP_NULLABLE name,
                            const char *HSIP_NULLABLE field, hsip_bytes *HSIP_NULLABLE value);

/* Flags of hsip_secret_read. */
enum {
    HSIP_EVEN_EXPIRED = 1 /* also an expired secret; else HSIP_EXPIRED */
};

/* The same for an earlier version by its number, or for the present version by 0. `expires_at`, if not NULL, is the
 * secret's expiry in Unix seconds, or 0 for never; it is also set with HSIP_EXPIRED. Other flags are HSIP_USAGE. */
hsip_status hsip_secret_read(hsip_vault *HSIP_NULLABLE vault, const char *HSIP_NULLABLE name,
                             const char *HSIP_NULLABLE field, uint32_t version, uint32_t flags,
                             hsip_bytes *HSIP_NULLABLE value, int64_t *HSIP_NULLABLE expires_at);

/* Writes one value, at most 1 MiB: a new version of the secret, whose other fields stay, or a new login if no secret
 * has that name. The same value again changes nothing. */
hsip_status hsip_secret_set(hsip_vault *HSIP_NULLABLE vault, const char *HSIP_NULLABLE name,
                            const char *HSIP_NULLABLE field, const uint8_t *HSIP_NULLABLE value, size_t size);

/* Everything else that needs neither a secret's value nor a person, and leaves nothing outside the vault: one JSON object
 * in, one JSON object out.
 *
 *     {"command":"contact show","name":"bob"}
 *     {"hsip":1,"command":"contact show","ok":true,"data":{...},"warnings":[]}
 *
 * `reply_json` is the program's output with --json (Schemas/cli), one line, also after a failure of the command. Then
 * `error.code`, `message` and `details` are the program's, and `hint` is the text of hsip_hint or null.
 *
 * Commands and their members, which are texts or true and false; members in brackets are optional:
 *
 *     version                   identity show
 *     contact list              [trash]
 *     contact show              name
 *     contact set               name [alias] [note] [requireVerified]: other members stay
 *     contact rm                name: also ends the sessions; data.notice is the notice to send, or null
 *     contact restore           name
 *     session list
 *     session show              name
 *     session rotate            name: data.code is the ROTATE or ACCEPT that is due
 *     pair                      closeAll, which must be true (hsip_pair makes codes)
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
 * Another command is HSIP_NOT_FOUND, an unknown member is HSIP_USAGE. Names must be complete. Only the program has the
 * other commands. They ask a person (session revoke, verify, rules, slots), read or write values (hsip_secret_get and
 * hsip_secret_set do), write files (export, import, ssh key generate), or are about programs and machines (agent, setup,
 * doctor, status). */
hsip_status hsip_call(hsip_vault *HSIP_NULLABLE vault, const char *HSIP_NULLABLE request_json,
                      hsip_bytes *HSIP_NULLABLE reply_json);

/* Wipes and frees a call's result, and sets it to {NULL, 0}. Does nothing for NULL and {NULL, 0}. */
void hsip_bytes_free(hsip_bytes *HSIP_NULLABLE bytes);

/* The name of a status as JSON spells it, "rekeyRequired"; "unknown" for another number. Never NULL; not to be freed. */
const char *HSIP_NULLABLE hsip_status_name(hsip_status status);

/* Why this thread's last call that returned a status failed, in the words of the command line,
 *
 *     there is no contact named “carol”
 *
 * or "" after HSIP_OK. One line of UTF-8 for a person, cut at 2,047 bytes, with names and paths but never a value. Valid
 * until the thread's next such call. Never NULL; not to be freed. */
const char *HSIP_NULLABLE hsip_last_error(void);

/* The hint after this thread's last call that returned a status, if an agent refused the call: one command for a person,
 * such as the lease that would let this program read the secret,
 *
 *     hsip lease run registry/ci --for 20m --reason TEXT -- COMMAND
 *
 * or "" for none. Valid until the thread's next such call. Never NULL; not to be freed. Show it, never run it. */
const char *HSIP_NULLABLE hsip_hint(void);

/* The version of the library, "0.1.0". Never NULL; not to be freed. */
const char *HSIP_NULLABLE hsip_version(void);

/* The calls of older HSIP programs: no vault, no counter, no memory of sent or read messages, raw keys. They read and
 * write the same bytes as those programs (Schemas/messages.md). New programs use hsip_encrypt. A program that uses these
 * calls must make sure that a key seals few messages, that no message is accepted twice, and that the key is secret.
 * NULL on any failure. Only hsip_ios_free_string frees the returned texts. */

/* Does nothing; always true. */
bool hsip_ios_init(void);

/* Seals a text with a random nonce: the lock and base64. `key` and `peer_id` have 32 bytes; `peer_id` becomes the
 * sender field of the header, in clear. NULL for a text that is not UTF-8, or above 1,048,515 bytes. */
char *HSIP_NULLABLE hsip_ios_encrypt(const char *HSIP_NULLABLE plaintext, const uint8_t *HSIP_NULLABLE key,
                                     const uint8_t *HSIP_NULLABLE peer_id);

/* Opens a message in any of its forms with a key of 32 bytes: first exactly as the older programs read, then, only if
 * that fails, the line that decodes. NULL for a wrong key, and for a text with a zero byte. */
char *HSIP_NULLABLE hsip_ios_decrypt(const char *HSIP_NULLABLE encrypted, const uint8_t *HSIP_NULLABLE key);

/* Whether a lock (U+1F512) or "[HSIP" is in the text; false for NULL and for anything but UTF-8. */
bool hsip_ios_contains_message(const char *HSIP_NULLABLE text);

/* Wipes and frees. Does nothing for NULL. */
void hsip_ios_free_string(char *HSIP_NULLABLE s);

/* The six emoji that older programs show for two public keys of 32 bytes each, with single spaces; the same for both
 * sides. They prove nothing: 35 bits are quickly tried. Compare with `hsip verify`. */
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
