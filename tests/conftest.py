"""A runner started in the background ignores SIGINT, and so would every process the tests start: take that back."""

import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
