/** A signed request and its proved answers: who comes through here has the key. */
import { randomInt } from 'node:crypto'
import type { Clock } from '../../../../kernel/clock.ts'
import { Failure } from '../../../../kernel/failure.ts'
import { hostPort } from '../../../../model/network/address.ts'
import { RecordFault } from '../record-fault.ts'
import { brokenOff, type Server } from './connection.ts'
import { type Message, OPCODE, TYPE, readMessage, writeMessage, writeQuestion } from './message.ts'
import { ReplyChain } from './reply-chain.ts'
import { type Spared, sparingly } from './spared.ts'
import { signRequest, type TsigKey, tsigOf } from './tsig.ts'
import { failureOf, isAmbiguous } from './failures.ts'

export interface Talk extends Spared {
  readonly server: Server
  readonly key: TsigKey
  readonly idle_ms: number
}

/** The longest silence after a question about one name: callers wait for its answer. */
const QUESTION_IDLE_MS = 5000

const waitFor = ({ clock, gate, idle_ms }: Talk, operation: string, signal: AbortSignal) => ({
  clock,
  gate,
  signal,
  idle_ms: operation === 'query' ? Math.min(idle_ms, QUESTION_IDLE_MS) : idle_ms,
})

export interface Request {
  readonly zone: string
  /** For messages: `update`. */
  readonly operation: string
  readonly opcode: number
  readonly sections: readonly (readonly Buffer[])[]
}

export const question = (zone: string, operation: string, name: string, type: number): Request => ({
  zone,
  operation,
  opcode: OPCODE.QUERY,
  sections: [[writeQuestion(name, type)], [], [], []],
})

/** For messages: never anything secret. */
export const whereabouts = ({ server }: Talk, zone: string): string =>
  `rfc2136: ${hostPort(server.host, server.port)}, zone ${zone}`

export const malformed = (talk: Talk, zone: string, { message }: RecordFault): Failure =>
  new Failure(
    'component_unavailable',
    `${whereabouts(talk, zone)}: an answer ${message}, so none of it is used. See that a name server listens there.`,
  )

/** Every answer, with whether all so far are proved. Throws a Failure at the first that is none or no success. */
export async function* ask(
  talk: Talk,
  request: Request,
  signal: AbortSignal,
): AsyncGenerator<{ message: Message; proved: boolean }, void, undefined> {
  const id = randomInt(0x1_0000)
  const bare = writeMessage({ id, opcode: request.opcode }, request.sections)
  const signed = signRequest(bare, talk.key, seconds(talk.clock))
  const chain = new ReplyChain(talk.key, signed.mac)
  for await (const bytes of sparingly(
    talk.server,
    signed.message,
    waitFor(talk, request.operation, signal),
  )) {
    try {
      const message = expected(readMessage(bytes), id, request.opcode)
      await evaluate(talk, request, { message, chain, signal })
      yield { message, proved: chain.is_closed }
    } catch (error) {
      throw error instanceof RecordFault ? malformed(talk, request.zone, error) : error
    }
  }
}

/** The only answer to a request that has one. */
export async function askOnce(talk: Talk, request: Request, signal: AbortSignal): Promise<Message> {
  for await (const { message } of ask(talk, request, signal)) return message
  throw brokenOff(talk.server)
}

function expected(message: Message, id: number, opcode: number): Message {
  if (!message.is_reply || message.id !== id || message.opcode !== opcode)
    throw new RecordFault('is not to what was asked')
  if (message.truncated) throw new RecordFault('is cut short, which none is on TCP')
  return message
}

interface ReceivedMessage {
  readonly message: Message
  readonly chain: ReplyChain
  readonly signal: AbortSignal
}

async function evaluate(
  talk: Talk,
  { zone, operation }: Request,
  { message, chain, signal }: ReceivedMessage,
): Promise<void> {
  const tsig = tsigOf(message)
  const now_s = seconds(talk.clock)
  const proof = chain.prove(message, tsig, now_s)
  const tsig_error = tsig?.error ?? 0
  const { rcode } = message
  if (proof.ok && rcode === 0 && tsig_error === 0) return
  const answered = {
    where: whereabouts(talk, zone),
    key_name: talk.key.name,
    operation,
    rcode,
    tsig_error,
    proof,
    now_s,
  }
  throw failureOf({
    ...answered,
    is_served: isAmbiguous(answered) ? await isServed(talk, zone, signal) : null,
  })
}

/**
 * Whether anybody gets the zone's SOA from the server. Asked and answered without a signature: good for choosing between
 * two errors, and for nothing else. Null when that cannot be told either.
 */
async function isServed(talk: Talk, zone: string, signal: AbortSignal): Promise<boolean | null> {
  const id = randomInt(0x1_0000)
  const request = writeMessage({ id, opcode: OPCODE.QUERY }, question(zone, 'query', zone, TYPE.SOA).sections)
  try {
    for await (const bytes of sparingly(talk.server, request, waitFor(talk, 'query', signal))) {
      const { authoritative, rcode, answers } = expected(readMessage(bytes), id, OPCODE.QUERY)
      return (
        rcode === 0 && authoritative && answers.some(({ name, type }) => name === zone && type === TYPE.SOA)
      )
    }
  } catch {
    signal.throwIfAborted()
  }
  return null
}

const seconds = (clock: Clock): number => Math.floor(clock.now() / 1000)
