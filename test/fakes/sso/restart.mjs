/**
 * The command that restarts the stand-in: one POST; its exit code is the answer. Hundreds of restarts start it, so it is plain
 * JavaScript over a plain socket: a compiler and an HTTP client would cost four times as much as all else.
 */
import { connect } from 'node:net'

const { hostname, port, pathname } = new URL(process.argv[2])
const socket = connect({ host: hostname, port: Number(port), timeout: 5_000 })
let answer = ''
process.exitCode = 1
socket.setEncoding('latin1').on('data', (text) => (answer += text))
socket.on('timeout', () => socket.destroy()).on('error', () => undefined)
socket.on('close', () => (process.exitCode = answer.startsWith('HTTP/1.1 204 ') ? 0 : 1))
socket.write(
  `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
)
