// A stand-in for logind on a private bus: what the agent asks of it, and signals on demand. One thread uses it.
#ifndef HSIP_LOGIN_FAKE_H
#define HSIP_LOGIN_FAKE_H

struct login_fake;

/// Takes logind's name on a bus; two sessions, `1` of this user and `9` of another one. NULL on failure.
struct login_fake *login_fake_start(const char *address);

/// Answers what came in, waiting at most so many milliseconds for it; negative when the bus is gone.
int login_fake_step(struct login_fake *fake, int milliseconds);

/// How many inhibitors were asked for, and whether the newest one is still held.
int login_fake_inhibitors(const struct login_fake *fake);
int login_fake_is_held(const struct login_fake *fake);

/// PrepareForSleep.
void login_fake_sleep(struct login_fake *fake, int begins);
/// Lock of a session.
void login_fake_lock(struct login_fake *fake, const char *session);
/// LockedHint of a session.
void login_fake_hint(struct login_fake *fake, const char *session, int is_locked);
/// A session begins or ends.
void login_fake_session(struct login_fake *fake, const char *session, int begins);

/// Another program tells the one that asked for the sessions, and only it, that session `1` ended and logind went away;
/// negative when it could not.
int login_fake_forge(struct login_fake *fake, const char *address);

/// Gives the name back and goes.
void login_fake_stop(struct login_fake *fake);

#endif
