"""Requests on kept connections: one on which bytes are left over is closed, for they answer an earlier request."""

from __future__ import annotations

from aiohttp import ClientConnectionError, ClientRequest, ClientResponse
from aiohttp.connector import Connection

__all__ = ["CleanRequest", "LeftOverError"]


class LeftOverError(ClientConnectionError):
    """A server sent more than was asked for; nothing was sent to it on this connection."""


class CleanRequest(ClientRequest):
    """A request that is sent only on a connection on which nothing waits to be read."""

    async def send(self, conn: Connection) -> ClientResponse:
        """Send it.

        Raises:
            LeftOverError: a second answer came in on the connection, which is closed now.
        """
        if conn.protocol is not None and conn.protocol.should_close:
            conn.close()
            raise LeftOverError
        return await super().send(conn)
