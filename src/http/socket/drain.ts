/** The end of a server: no new connections, running requests finish, idle connections go at once, the rest by force. */
import type { Server } from 'node:http'

/** Between two looks for connections that have become idle: a busy keep-alive client never leaves by itself. */
const SWEEP_EVERY_MS = 100

/** Resolves when every connection is closed, at the latest shortly after `most_ms`. */
export async function drain(server: Server, most_ms: number): Promise<void> {
  if (!server.listening) return
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_EVERY_MS)
  const cut = setTimeout(() => server.closeAllConnections(), most_ms)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}
