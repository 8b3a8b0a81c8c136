/**
 * Strangers at the door: eight addresses of loopback, eight connections each, which come back as soon as they are let go.
 * They ask more than they read, read as fast as they can, or only hold on. Told `hold` they come back no more and keep
 * what they have.
 */
import { connect, type Socket } from 'node:net'

const port = Number(process.argv[2])
const ADDRESSES = [1, 2, 3, 4, 5, 6, 7, 8].map((last) => `127.0.0.${last}`)
const HOST = 'Host: localhost\r\n'
const BURST = `GET /openapi.json HTTP/1.1\r\n${HOST}\r\n`.repeat(1300)
const ONE = `GET /health HTTP/1.1\r\n${HOST}\r\n`
const BODY = `POST /api/email/send HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n{"`

let holding = false
const open = new Set<Socket>()

/** Writes now and then, so as to seem alive. */
function drip(socket: Socket, bytes: string) {
  const timer = setInterval(() => socket.writable && socket.write(bytes), 1000)
  socket.once('close', () => clearInterval(timer))
}

const WAYS: readonly ((socket: Socket) => void)[] = [
  (socket) => void socket.pause().write(BURST),
  (socket) => {
    socket.pause().write(BURST)
    drip(socket, '\r\n')
  },
  (socket) => void socket.resume().write(BURST),
  (socket) => {
    socket.resume().write(ONE)
    drip(socket, '\r\n')
  },
  (socket) => {
    socket.resume().write(ONE.slice(0, 30))
    drip(socket, 'x')
  },
  (socket) => {
    socket.resume().write(BODY)
    drip(socket, 'x')
  },
  (socket) => void socket.resume(),
  (socket) => void socket.resume().write('garbage\r\n\r\n'.repeat(500)),
]

function attack(address: string, way: (socket: Socket) => void) {
  const socket = connect({ port, host: '127.0.0.1', localAddress: address, allowHalfOpen: true })
  open.add(socket)
  socket.on('error', () => undefined)
  socket.once('connect', () => way(socket))
  socket.once('close', () => {
    open.delete(socket)
    if (!holding) setTimeout(attack, 50, address, way)
  })
}

for (const address of ADDRESSES) for (const way of WAYS) attack(address, way)
process.on('message', () => {
  holding = true
})
process.once('disconnect', () => process.exit())
