"""One process at a time on a file."""

from __future__ import annotations

import errno
import fcntl
from typing import IO, Any

NO_LOCKS = {errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK}
"""What file systems answer that keep no locks, as some of clusters do."""


def take(file: IO[Any], *, wait: bool = False) -> bool:
    """Keeps an open file for this process until it is closed or the process dies.

    On a file system without locks every process gets it: a run there is better than none.

    Args:
        wait: for a process that has it.

    Returns:
        Whether it is this process's now.

    Raises:
        OSError: it cannot be locked.
    """
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in NO_LOCKS:
            raise
    return True
