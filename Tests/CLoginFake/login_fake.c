#define _GNU_SOURCE
#include "login_fake.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#define NAME "org.freedesktop.login1"
#define OBJECT "/org/freedesktop/login1"
#define MANAGER "org.freedesktop.login1.Manager"
#define SESSION "org.freedesktop.login1.Session"

struct login_fake {
    sd_bus *bus;
    /* Who asked for the sessions last. */
    char client[256];
    int inhibitors;
    int held;
};

static int list_sessions(sd_bus_message *call, void *context, sd_bus_error *error) {
    (void)error;
    struct login_fake *fake = context;
    unsigned user = geteuid();
    snprintf(fake->client, sizeof fake->client, "%s", sd_bus_message_get_sender(call));
    return sd_bus_reply_method_return(call, "a(susso)", 2, "1", user, "me", "seat0", OBJECT "/session/_31", "9",
                                      user + 1, "other", "seat0", OBJECT "/session/_39");
}

static int inhibit(sd_bus_message *call, void *context, sd_bus_error *error) {
    (void)error;
    struct login_fake *fake = context;
    const char *what, *who, *why, *mode;
    int code = sd_bus_message_read(call, "ssss", &what, &who, &why, &mode);
    if (code < 0) return code;
    if (strcmp(what, "sleep") != 0 || strcmp(mode, "delay") != 0) return -22;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -24;
    if (fake->held >= 0) close(fake->held);
    fake->held = ends[0];
    fake->inhibitors += 1;
    code = sd_bus_reply_method_return(call, "h", ends[1]);
    sd_bus_flush(fake->bus);
    close(ends[1]);
    return code;
}

static int get_user(sd_bus *bus, const char *path, const char *interface, const char *property,
                    sd_bus_message *reply, void *context, sd_bus_error *error) {
    (void)bus, (void)interface, (void)property, (void)context, (void)error;
    // Sessions whose number begins with 9 belong to somebody else.
    int is_other = strstr(path, "/session/_39") != NULL;
    return sd_bus_message_append(reply, "(uo)", geteuid() + (is_other ? 1 : 0), OBJECT "/user/self");
}

static const sd_bus_vtable manager[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("ListSessions", "", "a(susso)", list_sessions, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("Inhibit", "ssss", "h", inhibit, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END,
};

static const sd_bus_vtable session[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_PROPERTY("User", "(uo)", get_user, 0, 0),
    SD_BUS_VTABLE_END,
};

static int always(sd_bus *bus, const char *path, const char *interface, void *context, void **found,
                  sd_bus_error *error) {
    (void)bus, (void)path, (void)interface, (void)error;
    *found = context;
    return 1;
}

struct login_fake *login_fake_start(const char *address) {
    struct login_fake *fake = calloc(1, sizeof *fake);
    if (fake == NULL) return NULL;
    fake->held = -1;
    if (sd_bus_new(&fake->bus) >= 0 && sd_bus_set_address(fake->bus, address) >= 0 &&
        sd_bus_set_bus_client(fake->bus, 1) >= 0 && sd_bus_negotiate_fds(fake->bus, 1) >= 0 &&
        sd_bus_start(fake->bus) >= 0 &&
        sd_bus_add_object_vtable(fake->bus, NULL, OBJECT, MANAGER, manager, fake) >= 0 &&
        sd_bus_add_fallback_vtable(fake->bus, NULL, OBJECT "/session", SESSION, session, always, fake) >= 0 &&
        sd_bus_request_name(fake->bus, NAME, 0) >= 0)
        return fake;
    login_fake_stop(fake);
    return NULL;
}

int login_fake_step(struct login_fake *fake, int milliseconds) {
    int code;
    while ((code = sd_bus_process(fake->bus, NULL)) > 0) {}
    if (code < 0) return code;
    return sd_bus_wait(fake->bus, (uint64_t)milliseconds * 1000);
}

int login_fake_inhibitors(const struct login_fake *fake) { return fake->inhibitors; }

int login_fake_is_held(const struct login_fake *fake) {
    if (fake->held < 0) return 0;
    struct pollfd request = {fake->held, POLLIN, 0};
    return poll(&request, 1, 0) == 0;
}

static void object(char *path, size_t size, const char *session) {
    snprintf(path, size, OBJECT "/session/_3%s", session);
}

void login_fake_sleep(struct login_fake *fake, int begins) {
    sd_bus_emit_signal(fake->bus, OBJECT, MANAGER, "PrepareForSleep", "b", begins);
}

void login_fake_lock(struct login_fake *fake, const char *session) {
    char path[128];
    object(path, sizeof path, session);
    sd_bus_emit_signal(fake->bus, path, SESSION, "Lock", "");
}

void login_fake_hint(struct login_fake *fake, const char *session, int is_locked) {
    char path[128];
    object(path, sizeof path, session);
    sd_bus_emit_signal(fake->bus, path, "org.freedesktop.DBus.Properties", "PropertiesChanged", "sa{sv}as",
                       SESSION, 2, "IdleHint", "b", 1, "LockedHint", "b", is_locked, 0);
}

void login_fake_session(struct login_fake *fake, const char *session, int begins) {
    char path[128];
    object(path, sizeof path, session);
    sd_bus_emit_signal(fake->bus, OBJECT, MANAGER, begins ? "SessionNew" : "SessionRemoved", "so", session, path);
}

int login_fake_forge(struct login_fake *fake, const char *address) {
    sd_bus *bus = NULL;
    sd_bus_message *ended = NULL, *lost = NULL;
    int code = sd_bus_new(&bus);
    if (code >= 0) code = sd_bus_set_address(bus, address);
    if (code >= 0) code = sd_bus_set_bus_client(bus, 1);
    if (code >= 0) code = sd_bus_start(bus);
    if (code >= 0) code = sd_bus_message_new_signal(bus, &ended, OBJECT, MANAGER, "SessionRemoved");
    if (code >= 0) code = sd_bus_message_append(ended, "so", "1", OBJECT "/session/_31");
    if (code >= 0) code = sd_bus_send_to(bus, ended, fake->client, NULL);
    if (code >= 0)
        code = sd_bus_message_new_signal(bus, &lost, "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged");
    if (code >= 0) code = sd_bus_message_append(lost, "sss", NAME, ":1.0", "");
    if (code >= 0) code = sd_bus_send_to(bus, lost, fake->client, NULL);
    /* The bus has passed them on when it answers. */
    sd_bus_error error = SD_BUS_ERROR_NULL;
    sd_bus_message *reply = NULL;
    if (code >= 0)
        code = sd_bus_call_method(bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId",
                                  &error, &reply, "");
    sd_bus_error_free(&error);
    sd_bus_message_unref(reply);
    sd_bus_message_unref(ended);
    sd_bus_message_unref(lost);
    sd_bus_flush_close_unref(bus);
    return code;
}

void login_fake_stop(struct login_fake *fake) {
    if (fake->held >= 0) close(fake->held);
    sd_bus_flush_close_unref(fake->bus);
    free(fake);
}
