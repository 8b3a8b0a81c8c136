/** Whether a backend answers HTTP/2 without TLS from the first byte on (RFC 9113 §3.3). */
import { connect } from 'node:net'
import type { BackendPlace } from './port.ts'
import { answered, type Bounds } from './answered.ts'

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1')
const SETTINGS = 4
const EMPTY_SETTINGS = Buffer.from([0, 0, 0, SETTINGS, 0, 0, 0, 0, 0])

/** The first frame of a server is its settings (§3.4). */
export const speaksH2cOnce = ({ address, port }: BackendPlace, bounds: Bounds): Promise<boolean> =>
  answered<boolean>(bounds, (answer) => {
    const socket = connect({ host: address, port })
    let seen = Buffer.alloc(0)
    socket.once('connect', () => void socket.write(Buffer.concat([PREFACE, EMPTY_SETTINGS])))
    socket.on('data', (bytes) => {
      seen = Buffer.concat([seen, bytes])
      if (seen.length >= 9) answer(seen[3] === SETTINGS && seen.readUInt32BE(5) === 0)
    })
    socket.on('error', () => answer(false))
    socket.once('close', () => answer(false))
    return { connection: socket, late: () => false }
  })
