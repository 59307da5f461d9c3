internal import Glibc
internal import Hardware

exit(HardwareHelper.run())
