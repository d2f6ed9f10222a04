"""For all tests: Ctrl-C works, and no property test depends on how busy the machine is.

A runner started in the background ignores SIGINT, and so would every process the tests start: take that back.
"""

import signal

from hypothesis import settings

signal.signal(signal.SIGINT, signal.default_int_handler)
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
