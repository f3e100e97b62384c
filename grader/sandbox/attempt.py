"""One child of one submission: send the request, read claims until its last frame or its end."""

import select
import signal
import socket
import time
from collections.abc import Callable

from ..outcome import Limits
from .forkserver import Ending, ForkServer
from .inside import child
from .progress import Fault, Progress
from .wire import Frame, Frames, ProtocolError, Reader, request

GRACE_SECONDS = 0.25  # for the fork, the locks and a busy machine
END_SECONDS = 0.1  # between the end of the channel and that of its process
RECEIVE_BYTES = 1 << 16  # more would be mapped and unmapped for every receipt


def attempt(
    server: ForkServer,
    progress: Progress,
    careful: bool,
    patient: bool,
    give_up: float,
    advanced: Callable[[], None],
) -> Fault | None:
    """Run what is left of a submission in a new child; None if it came to the end.

    Unless `patient`, a cell stopped by its time limit ends the attempt, to be tried again. At the
    moment `give_up` it ends in any case. `advanced` is called when an answer has come. Raises
    ServerError.
    """
    progress.restart()
    limits = progress.limits()
    with server.fork(limits, careful) as channel:
        talk = _Talk(channel, progress, limits, patient, give_up)
        try:
            fault = talk.fault(advanced)
        except ProtocolError as error:
            server.collect()
            return Fault("crash", f"The program wrote to the grader's own channel: {error}.")
        if fault is None:
            server.dismiss()
            return None
        if fault is not GONE:
            server.collect()
            return fault
        return _meaning(server.collect(END_SECONDS), talk.locked, limits)


GONE = Fault("crash", "")  # the channel closed; how the child ended tells more


class _Talk:
    def __init__(
        self,
        channel: socket.socket,
        progress: Progress,
        limits: Limits,
        patient: bool,
        give_up: float,
    ) -> None:
        self.channel, self.progress, self.limits, self.patient = channel, progress, limits, patient
        message = request(
            progress.cells,
            progress.skipped,
            progress.asked.wanted,
            len(progress.outcomes),
            limits.load_seconds,
        )
        self.unsent = memoryview(message + progress.asked.first)
        self.released = False
        self.frames = Frames((limits.result_mib << 20) + 4096)
        self.locked, self.give_up = False, give_up

    def fault(self, advanced: Callable[[], None]) -> Fault | None:
        """Talk until the child has sent its last frame (None) or something else ends it."""
        self.channel.settimeout(0)
        poll = select.poll()
        deadline = self._deadline(time.monotonic())
        while True:
            poll.register(self.channel, select.POLLIN | (select.POLLOUT if self.unsent else 0))
            events = poll.poll(max(0.0, deadline - time.monotonic()) * 1000)
            if not events:
                return self._too_slow()
            try:
                if events[0][1] & select.POLLOUT:
                    self.unsent = self.unsent[self.channel.send(self.unsent) :]
                if events[0][1] == select.POLLOUT:
                    continue
                data = self.channel.recv(RECEIVE_BYTES)
            except OSError:
                return GONE
            if not data:
                return GONE
            received = self.frames.feed(data)
            for frame in received:
                if frame.kind == child.DONE and self.progress.loaded and self.progress.done:
                    return None
                if fault := self._take(frame):
                    return fault
            if self.frames.error:
                raise self.frames.error
            if received:
                deadline = self._deadline(time.monotonic())
                self._release()
                advanced()

    def _take(self, frame: Frame) -> Fault | None:
        if not self.locked:
            if frame.kind == child.BROKEN:
                reason = Reader(frame.body).text(child.MAX_MESSAGE)
                return Fault("broken", f"A lock could not be put on: {reason}.")
            if frame.kind != child.LOCKED:
                return Fault("broken", "The child did not say that its locks are on.")
            self.locked = True
        elif frame.kind == child.CELL and frame.status == child.TIMEOUT and not self.patient:
            return self._too_slow()
        else:
            self.progress.take(frame)
        return None

    def _release(self) -> None:
        """Send the hidden calls once nothing is left to be said before they may be known."""
        progress = self.progress
        if self.released or not progress.loaded:
            return
        if len(progress.outcomes) >= progress.asked.open_calls:
            self.unsent = memoryview(bytes(self.unsent) + progress.asked.held_back)
            self.released = True

    def _deadline(self, moment: float) -> float:
        if not self.progress.loaded:
            allowed = self.limits.load_seconds + GRACE_SECONDS
        elif self.progress.done:
            allowed = GRACE_SECONDS
        else:
            allowed = self.progress.call.limits.wall_seconds + child.FLUSH_SECONDS
        return min(moment + allowed, self.give_up)

    def _too_slow(self) -> Fault:
        if not self.progress.loaded:
            return self.progress.slow_load()
        if self.progress.done:
            return Fault("crash", "The program went on after its last answer.")
        seconds = self.progress.call.limits.wall_seconds
        return Fault("timeout", f"The call took longer than {seconds:g} s.")


def _meaning(ending: Ending, locked: bool, limits: Limits) -> Fault:
    """What the end of a child means that had more to say."""
    if not locked:
        return Fault("broken", f"The child could not be started ({ending}).")
    if ending.signal == signal.SIGXCPU or (
        ending.signal == signal.SIGKILL and ending.cpu_seconds >= limits.cpu_seconds
    ):
        return Fault("timeout", f"Used more than {limits.cpu_seconds} s of processor time.")
    if ending.signal == signal.SIGXFSZ:
        return Fault("output", f"Printed more than {limits.output_kib} KiB.")
    if ending.signal == signal.SIGKILL:
        return Fault("memory", "The system killed the program, most likely for its memory.")
    if ending.signal:
        return Fault("crash", f"The program was ended by signal {ending.signal}.")
    return Fault("crash", "The program ended itself instead of returning a result.")
