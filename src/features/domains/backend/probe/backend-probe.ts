/** Probing over node:net, node:http and node:https, each to a literal address and each with an end. */
import { lookup } from 'node:dns/promises'
import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { connect, connect as connectSocket, isIP } from 'node:net'
import type { Milliseconds } from '../../../../kernel/clock.ts'
import { Failure } from '../../../../kernel/failure.ts'
import { canonicalAddress, hostPort } from '../../../../model/network/address.ts'
import { answered, type Bounds } from './answered.ts'
import { handshakeOnce } from './handshake.ts'
import type { BackendPlace, BackendProbe, Connected, HttpQuestion, HttpSeen } from './port.ts'
import { probeFailureOf } from './probe-failure.ts'

export interface BackendProbeOptions {
  readonly within_ms?: Milliseconds
  /** How long a service may take to greet; most wait to be asked. */
  readonly greeting_ms?: Milliseconds
  /** How names are resolved; the system's way when left out. */
  readonly addressesOf?: (name: string) => Promise<readonly string[]>
}

const WITHIN_MS = 2000
const GREETING_MS = 300
const MAX_GREETING = 256

export function backendProbe(options: BackendProbeOptions = {}): BackendProbe {
  const { within_ms = WITHIN_MS, greeting_ms = GREETING_MS, addressesOf = systemAddresses } = options
  return {
    async resolve(name, signal) {
      signal.throwIfAborted()
      const found = await ended(addressesOf(name), within_ms, signal)
      return [...new Set((found ?? []).flatMap((address) => canonicalAddress(address) ?? []))]
    },
    connect: (place, signal) => connectOnce(place, { within_ms, greeting_ms }, signal),
    handshake: (place, question, signal) => handshakeOnce(literal(place), question, { within_ms, signal }),
    speaksH2c: (place, signal) => speaksH2cOnce(literal(place), { within_ms, signal }),
    get: (place, question, signal) => getOnce(literal(place), question, { within_ms, signal }),
  }
}

/** Whoever comes here with a name would have it resolved a second time, to who knows what. */
function literal(place: BackendPlace): BackendPlace {
  if (isIP(place.address) !== 0) return place
  throw new Failure(
    'internal',
    `a probe was given ${hostPort(place.address, place.port)}, which is no address`,
  )
}

async function systemAddresses(name: string): Promise<readonly string[]> {
  try {
    return (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address)
  } catch {
    return []
  }
}

/** The lookup itself cannot be stopped; nobody waits for it longer than this. Null for late. */
async function ended<T>(work: Promise<T>, within_ms: Milliseconds, signal: AbortSignal): Promise<T | null> {
  const { promise: late, resolve, reject } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), within_ms)
  const abort = () => reject(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

function connectOnce(
  place: BackendPlace,
  { within_ms, greeting_ms }: { readonly within_ms: Milliseconds; readonly greeting_ms: Milliseconds },
  signal: AbortSignal,
): Promise<Connected> {
  const { address, port } = literal(place)
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const socket = connectSocket({ host: address, port })
    const end = (settle: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      socket.destroy()
      settle()
    }
    const answer = (connected: Connected) => end(() => resolve(connected))
    const abort = () => end(() => reject(signal.reason as Error))
    let timer = setTimeout(() => answer({ ok: false, failure: 'timeout' }), within_ms)
    signal.addEventListener('abort', abort, { once: true })
    socket.once('connect', () => {
      clearTimeout(timer)
      timer = setTimeout(() => answer({ ok: true, greeting: '' }), greeting_ms)
    })
    socket.once('data', (bytes) => answer({ ok: true, greeting: printable(bytes) }))
    // It was open: who closes at once, as a server without room does, is there all the same.
    socket.once('end', () => answer({ ok: true, greeting: '' }))
    socket.on('error', (error) => answer({ ok: false, failure: probeFailureOf(error) }))
  })
}

const printable = (bytes: Buffer): string =>
  bytes
    .subarray(0, MAX_GREETING)
    .toString('latin1')
    .replace(/[^ -~]/g, ' ')
    .trim()

/** Whether a backend answers HTTP/2 without TLS from the first byte on (RFC 9113 §3.3). */
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1')
const SETTINGS = 4
const EMPTY_SETTINGS = Buffer.from([0, 0, 0, SETTINGS, 0, 0, 0, 0, 0])

/** The first frame of a server is its settings (§3.4). */
const speaksH2cOnce = ({ address, port }: BackendPlace, bounds: Bounds): Promise<boolean> =>
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

// One GET of a backend: nothing is followed, nothing inflated, the body cut after 64 KiB, certificates not judged.

const MAX_BYTES = 64 * 1024
const MAX_HEADER_BYTES = 16 * 1024

const getOnce = (place: BackendPlace, question: HttpQuestion, bounds: Bounds): Promise<HttpSeen> =>
  answered<HttpSeen>(bounds, (answer) => {
    const request = begin(place, question)
    /** What came so far, of an answer that goes on longer than anybody waits. */
    let so_far: (() => HttpSeen) | null = null
    request.on('error', (error) => answer({ ok: false, failure: probeFailureOf(error) }))
    request.once('upgrade', (response, socket) => {
      socket.destroy()
      answer(seen(response, [], false))
    })
    request.once('response', (response) => void (so_far = collect(response, answer)))
    request.end()
    return { connection: request, late: () => so_far?.() ?? { ok: false, failure: 'timeout' } }
  })

function begin(place: BackendPlace, { tls, path, upgrade }: HttpQuestion): ClientRequest {
  const { address, port, name } = place
  const options = {
    host: address,
    port,
    path,
    method: 'GET',
    agent: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    headers: {
      host: hostPort(name, port),
      'user-agent': 'plumbline-autodetect',
      accept: '*/*',
      'accept-encoding': 'identity',
      ...(upgrade === true && UPGRADE),
    },
  } as const
  if (!tls) return plainRequest(options)
  return tlsRequest({ ...options, rejectUnauthorized: false, ...(isIP(name) === 0 && { servername: name }) })
}

/** RFC 6455 §4.1; the key may be any 16 bytes, and nothing is sent over the socket. */
const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': Buffer.from('plumbline-probe!').toString('base64'),
}

/** A body that goes on and on is cut; one that breaks off has shown its beginning. */
function collect(response: IncomingMessage, answer: (seen: HttpSeen) => void): () => HttpSeen {
  const chunks: Buffer[] = []
  let size = 0
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size >= MAX_BYTES) answer(seen(response, chunks, true))
  })
  response.once('end', () => answer(seen(response, chunks, false)))
  response.once('error', () => answer(seen(response, chunks, true)))
  return () => seen(response, chunks, true)
}

function seen(response: IncomingMessage, chunks: readonly Buffer[], truncated: boolean): HttpSeen {
  const headers = Object.entries(response.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ])
  return {
    ok: true,
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers) as Readonly<Record<string, string>>,
    text: Buffer.concat(chunks).subarray(0, MAX_BYTES).toString('utf8'),
    truncated,
  }
}
