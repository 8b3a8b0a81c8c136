/** The way in over a socket: @hono/node-server in front of Hono, and the request as it stood on the wire. */
import { getRequestListener, RequestError } from '@hono/node-server'
import type { Hono } from 'hono'
import type { IncomingMessage } from 'node:http'
import { streamBody } from '../body/body-limit.ts'
import type { Incoming, OverSocket, Way } from '../middleware/way.ts'
import { nodeBody } from './node-body.ts'
import { closeSignal } from './send.ts'

/**
 * Resolves when the answer is handed to the socket, or the connection is given up. node-server refuses by itself what it
 * cannot read as an address, without a word: such a request goes the way of all others, and is refused in ours.
 */
export function serveCall(app: Hono<Way>, call: OverSocket): Promise<void> {
  const { incoming, outgoing } = call
  const listener = getRequestListener((request) => app.fetch(request, call), {
    // Else it puts its own Request and Response in the place of the platform's, for all of the process.
    overrideGlobalObjects: false,
    // What is left of a body is taken off the wire here, within limits.
    autoCleanupIncoming: false,
    errorHandler: (error) =>
      error instanceof RequestError ? app.fetch(unread(incoming), call) : void outgoing.destroy(),
  })
  return listener(incoming, outgoing)
}

/** Hono asks for the method; the rest is read from the wire. */
const unread = ({ method = '' }: IncomingMessage) => ({ method }) as Request

/**
 * Node's `headersDistinct` crashed on a `__proto__` header (CVE-2026-21710) and `headers` joins duplicates, so the
 * policy gets `rawHeaders`.
 */
export function fromSocket({ incoming, outgoing, waiting }: OverSocket): Incoming {
  const has_body = hasBody(incoming)
  return {
    facts: {
      method: incoming.method ?? '',
      http_version: incoming.httpVersion,
      target: incoming.url ?? '',
      peer: incoming.socket.remoteAddress ?? null,
      headers: linesOf(incoming.rawHeaders),
      has_body,
    },
    body: has_body ? nodeBody(incoming, outgoing, waiting) : NO_BODY,
    signal: closeSignal(outgoing),
  }
}

const NO_BODY = streamBody(null)

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function linesOf(raw: readonly string[]): [string, string][] {
  const lines: [string, string][] = []
  for (let at = 0; at + 1 < raw.length; at += 2) lines.push([raw[at]!, raw[at + 1]!])
  return lines
}
