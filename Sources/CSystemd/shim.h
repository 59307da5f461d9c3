// libsystemd: D-Bus to logind, notifications to the service manager.
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-login.h>
