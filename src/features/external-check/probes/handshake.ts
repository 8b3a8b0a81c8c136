/**
 * A TLS handshake for the hub's name at one address. Whoever answers it is there, whatever their certificate; it passes only
 * with a certificate for that name that is valid now.
 */
import { connect } from 'node:tls'
import { type Clock, type Milliseconds } from '../../../kernel/clock.ts'
import { deadlineSignal } from '../../../kernel/async/deadline.ts'
import { systemErrorCode } from '../../../kernel/failure.ts'
import { tlsWords } from '../../../kernel/text/tls-words.ts'
import type { ProbeOutcome } from '../../../model/network/external-check.ts'

const MAX_MS: Milliseconds = 4000

export interface Handshake {
  readonly address: string
  readonly port: number
  readonly name: string
  /** Authorities that are believed (PEM); null for those that are known. */
  readonly ca: string | null
}

export async function handshake(
  { address, port, name, ca }: Handshake,
  clock: Clock,
  signal: AbortSignal,
): Promise<ProbeOutcome> {
  const deadline = deadlineSignal(clock, MAX_MS)
  const ends = AbortSignal.any([signal, deadline.signal])
  const done = Promise.withResolvers<ProbeOutcome>()
  const place = `${address} port ${port}`
  const socket = connect({
    host: address,
    port,
    servername: name,
    rejectUnauthorized: false,
    ...(ca !== null && { ca }),
  })
  socket.once('secureConnect', () => {
    if (socket.authorized) return done.resolve(outcome(true, true, `${place} answers`))
    const code = codeOf(socket.authorizationError)
    const words =
      tlsWords(code, 'PLUMBLINE_EXTERNAL_CA_FILE') ?? `has a certificate that is not taken (${code})`
    done.resolve({ ...outcome(false, true, `${place} answers, and ${words}`), is_final: true })
  })
  socket.once('error', (error) => {
    const code = systemErrorCode(error) ?? 'no code'
    // What was sent back was no handshake for this name, but it was sent.
    const answers = socket.bytesRead > 0
    const words = WORDS[code] ?? tlsWords(code, null) ?? `failed (${code})`
    done.resolve(outcome(false, answers, `${place} ${words}`))
  })
  socket.once('close', () =>
    done.resolve(outcome(false, socket.bytesRead > 0, `${place} ended the connection`)),
  )
  const leave = () => done.resolve(outcome(false, false, `${place} did not answer within ${MAX_MS / 1000} s`))
  if (ends.aborted) leave()
  ends.addEventListener('abort', leave, { once: true })
  try {
    return await done.promise
  } finally {
    ends.removeEventListener('abort', leave)
    deadline.end()
    socket.on('error', () => undefined).destroy()
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses the connection',
  ECONNRESET: 'broke the connection',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
}

const outcome = (passed: boolean, answers: boolean, detail: string): ProbeOutcome => ({
  passed,
  answers,
  detail,
  is_final: false,
})

/** The library's type says Error; at run time it is the code. */
const codeOf = (error: unknown): string =>
  typeof error === 'string' ? error : (systemErrorCode(error) ?? 'no reason given')
