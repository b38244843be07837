"""The module urequests, blocking as on the board. The firmware itself must not use it."""

try:
    from urllib import request as _http
except ImportError:  # the MicroPython binary has it under its newer name
    from requests import delete, get, head, patch, post, put, request  # noqa: F401
else:
    import json as _json
    from urllib.error import HTTPError as _HTTPError

    class Response:
        """Answer of a server: status_code, headers, content (bytes), text (str)."""

        def __init__(self, status, headers, content):
            self.status_code = status
            self.headers = headers
            self.content = content

        @property
        def text(self):
            """The content as text."""
            return str(self.content, "utf-8")

        def json(self):
            """The content as a JSON value; ValueError when it is none."""
            return _json.loads(self.content)

        def close(self):
            """Everything was read already."""

    def request(method, url, data=None, json=None, headers=None, timeout=None):
        """Send one request and read the answer; OSError when that fails."""
        headers = dict(headers or {})
        if json is not None:
            data = _json.dumps(json)
            headers.setdefault("Content-Type", "application/json")
        if isinstance(data, str):
            data = data.encode()
        asked = _http.Request(url, data, headers, method=method)
        try:
            with _http.urlopen(asked, timeout=timeout) as answer:
                return Response(answer.status, dict(answer.headers), answer.read())
        except _HTTPError as e:
            return Response(e.code, dict(e.headers), e.read())

    def get(url, **kw):
        """Request with the method GET."""
        return request("GET", url, **kw)

    def post(url, **kw):
        """Request with the method POST."""
        return request("POST", url, **kw)

    def put(url, **kw):
        """Request with the method PUT."""
        return request("PUT", url, **kw)

    def delete(url, **kw):
        """Request with the method DELETE."""
        return request("DELETE", url, **kw)
