/**
 * Hands the bytes of a connection to Node's parser one request at a time: the next one in a turn of its own, and none
 * while the client is owed too many answers.
 *
 * Left to itself the parser takes everything that a packet holds in one go, some 1,500 requests, and only then looks
 * whether anybody reads the answers. Node has no setting for it, so the parser's listener is called from here, with what
 * arrived cut behind each request head.
 */
import type { Socket } from 'node:net'

const HEAD_END = '\r\n\r\n'
const NOTHING = Buffer.alloc(0)

export interface Paced {
  /** How many requests are unanswered. */
  readonly owed: () => number
  readonly most: number
}

/** What is returned is to be called when an answer is done: the next request may come then. */
export function paceRequests(socket: Socket, { owed, most }: Paced): () => void {
  const parse = soleListener(socket)
  socket.off('data', parse)
  let waiting: Buffer = NOTHING
  /** By us. Node pauses the socket as well, for a body or an answer that is not taken, and resumes it by itself. */
  let paused = false
  let scheduled = false

  const take = () => {
    while (socket.writable && waiting.length > 0 && !socket.isPaused() && owed() < most) {
      const before = owed()
      const next = untilHeadEnd(waiting)
      waiting = waiting.subarray(next.length)
      parse.call(socket, next)
      if (owed() > before && waiting.length > 0) {
        pause()
        nextTurn()
      }
    }
    // What follows the last answer, or what is no request, is not read.
    if (!socket.writable) waiting = NOTHING
    if (owed() >= most) pause()
  }
  const pause = () => {
    if (socket.isPaused() || !socket.writable) return
    paused = true
    socket.pause()
  }
  /** Of however many that are asked for, one. */
  const nextTurn = () => {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      if (paused && owed() < most) socket.resume()
    })
  }
  socket.on('data', (bytes: Buffer) => {
    waiting = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes])
    take()
  })
  // Whoever resumed it: reading a body does so, too.
  socket.on('resume', () => {
    paused &&= socket.isPaused()
    take()
  })
  return () => void (paused && nextTurn())
}

function soleListener(socket: Socket): (bytes: Buffer) => void {
  const [parse, ...more] = socket.listeners('data') as ((bytes: Buffer) => void)[]
  if (parse === undefined || more.length > 0)
    throw new Error('This version of Node hands the bytes of a connection to its parser in another way.')
  return parse
}

function untilHeadEnd(bytes: Buffer): Buffer {
  const end = bytes.indexOf(HEAD_END)
  return end < 0 || end + HEAD_END.length === bytes.length ? bytes : bytes.subarray(0, end + HEAD_END.length)
}
