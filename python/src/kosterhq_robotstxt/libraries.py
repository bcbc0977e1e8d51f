"""The libraries that make the requests of attempts. None is imported before it is used."""

from __future__ import annotations

import copy
import threading
from contextlib import closing
from functools import cache
from typing import Any, Callable, Dict, Optional, Tuple

from .attempt import Attempt

Response = Tuple[Any, int, Any, Any]
"""An object to close, a status, headers, and the parts of a body as they arrive: a whole amount of a body that drips takes too long."""


def _of_urllib(_: None, attempt: Attempt) -> Response:
    attempt.wait()  # the first import takes a while
    from urllib.request import HTTPErrorProcessor, Request, build_opener

    attempt.begin()

    class Plain(HTTPErrorProcessor):
        """Returns each response as it is, without redirects and errors."""

        def http_response(self, request: Any, response: Any) -> Any:
            return response

        https_response = http_response

    response = build_opener(Plain).open(Request(attempt.url, headers=attempt.headers), timeout=attempt.timeout)
    return response, response.status, response.headers, _parts(response.read1)


def _parts(read1: Callable[[int], bytes]) -> Any:
    return iter(lambda: read1(1 << 16), b"")


def _of_requests(http: Any, attempt: Attempt) -> Response:
    def take(response: Any, **_: Any) -> None:
        """Hides a redirect from the library, which would read its body to the end, and replaces the session's hooks, which can raise."""
        response.headers.pop("location", None)

    def no_auth(request: Any) -> Any:
        return request

    options = {"timeout": attempt.timeout, "stream": True, "allow_redirects": False, "hooks": {"response": take}}
    if attempt.is_elsewhere:
        response = http.get(attempt.url, headers={**attempt.headers, "Authorization": None}, auth=no_auth, **options)
    else:
        response = http.get(attempt.url, headers=attempt.headers, **options)
    return response, response.status_code, response.raw.headers, _parts(getattr(response.raw, "read1", None) or response.raw._fp.read1)


def _httpx_request(http: Any, attempt: Attempt, begin: Callable[..., Any]) -> Dict[str, Any]:
    """Returns the arguments of a request with httpx, which calls begin when it has a connection."""
    left, most = attempt.timeout, attempt.wait()
    request = http.build_request("GET", attempt.url, headers=attempt.headers, timeout=(left, left, left, most), extensions={"trace": begin})
    options = {"request": request, "stream": True, "follow_redirects": False}
    if attempt.is_elsewhere:
        request.headers.pop("Authorization", None)
        options["auth"] = None
    return options


def _of_httpx(http: Any, attempt: Attempt) -> Response:
    response = http.send(**_httpx_request(http, attempt, lambda *_: attempt.begin()))
    return response, response.status_code, response.headers.raw, response.iter_raw()


async def _of_async_httpx(http: Any, attempt: Attempt) -> Response:
    async def begin(*_: Any) -> None:
        attempt.begin()

    response = await http.send(**_httpx_request(http, attempt, begin))
    return response, response.status_code, response.headers.raw, response.aiter_raw()


async def _of_aiohttp(http: Any, attempt: Attempt) -> Response:
    from aiohttp import ClientTimeout
    from yarl import URL

    headers = attempt.headers
    if attempt.is_elsewhere and http.auth:
        raise ValueError("a redirect leads to another host, and the session has credentials for all")
    if attempt.is_elsewhere and "Authorization" in http.headers:
        headers = {**headers, "Authorization": ""}
    options = {"allow_redirects": False, "raise_for_status": False, "auto_decompress": False, "max_line_size": _LONG, "max_field_size": _LONG}
    tracer, tracers = _tracer(), http.trace_configs
    if isinstance(tracers, list):
        if tracer not in tracers:
            tracers.append(tracer)
        attempt.wait()
    response = await http.get(URL(attempt.url, encoded=True), headers=headers, timeout=ClientTimeout(), trace_request_ctx=attempt, **options)
    return response, response.status, response.raw_headers, response.content.iter_any()


@cache
def _tracer() -> Any:
    """Returns what tells the attempts of an aiohttp session that they have a connection."""
    from aiohttp import TraceConfig

    async def begin(_session: Any, context: Any, _: Any) -> None:
        if isinstance(context.trace_request_ctx, Attempt):
            context.trace_request_ctx.begin()

    tracer = TraceConfig()
    tracer.on_connection_create_start.append(begin)
    tracer.on_connection_reuseconn.append(begin)
    tracer.freeze()
    return tracer


_LONG = 64 << 10  # of a line of a head; all of it is bounded in headers_of


def fetch(attempt: Attempt, request: Optional[Callable[[Any, Attempt], Response]] = None, http: Any = None) -> Attempt:
    """Makes the requests of an attempt, with urllib by default, and returns it when it is done. No error of the network is raised.

    The libraries apply a timeout to each read, so a site that sends a byte now and then, or interim responses for ever,
    holds them up for as long as it likes, and so do names and addresses. They work in a thread, which is left at the end.
    """
    gate, is_over = threading.Lock(), False

    def work() -> None:
        nonlocal is_over
        while not attempt.done:
            try:
                response, status, headers, parts = (request or _of_urllib)(http, attempt)
                with closing(response):
                    if attempt.head(status, headers):
                        for part in parts:
                            if not attempt.data(part):
                                break
                attempt.end()
            except Exception as error:  # of a library: whatever it is, there is no answer
                attempt.fail(error)
        with gate:
            is_over = True

    thread = threading.Thread(target=work, name="robots.txt", daemon=True)
    try:
        thread.start()
    except RuntimeError as error:  # the system has no more threads
        attempt.fail(error)
        return attempt
    while thread.is_alive() and not attempt.is_late:
        thread.join(attempt.timeout)
    if attempt.done:
        return attempt
    ended = copy.copy(attempt)  # the thread may go on with the other one
    ended.hops = list(attempt.hops)
    ended.fail(TimeoutError("the server took too long to respond"))
    attempt.done = True
    with gate:
        if not is_over:
            _end(thread)
    return ended


def _end(thread: threading.Thread) -> None:
    """Ends a thread when its present call of the system returns. PyPy cannot: there it ends when the library or the site does."""
    try:
        from ctypes import c_ulong, py_object, pythonapi
    except ImportError:
        return
    pythonapi.PyThreadState_SetAsyncExc(c_ulong(thread.ident or 0), py_object(SystemExit))


Libraries = Dict[Tuple[str, str], Callable[[Any, Attempt], Any]]
"""How objects make requests, by the package and the name of their class."""

LIBRARIES: Libraries = {("builtins", "NoneType"): _of_urllib, ("requests", "Session"): _of_requests, ("httpx", "Client"): _of_httpx}
ASYNC_LIBRARIES: Libraries = {("httpx", "AsyncClient"): _of_async_httpx, ("aiohttp", "ClientSession"): _of_aiohttp}
