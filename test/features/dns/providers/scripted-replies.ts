/** What scripted name servers say in tests of rfc2136: replies, signed transfers, and a provider that asks for them. */
import { afterEach, beforeEach, expect } from 'vitest'
import { dataFromValue } from '../../../../src/features/dns/providers/rdata.ts'
import { typeCode } from '../../../../src/features/dns/providers/record-types.ts'
import {
  CLASS,
  writeMessage,
  writeQuestion,
  writeRecord,
} from '../../../../src/features/dns/providers/rfc2136/message.ts'
import { Rfc2136Provider } from '../../../../src/features/dns/providers/rfc2136/provider.ts'
import { type Clock, systemClock } from '../../../../src/kernel/clock.ts'
import { Failure } from '../../../../src/kernel/failure.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import { type Asked, type ScriptedNameServer, scriptedNameServer, signReply } from './scripted-name-server.ts'

export const ZONE = 'example.org'
export const NOW_MS = 1_700_000_000_000
export const KEY = {
  name: 'demo-key',
  algorithm: 'hmac-sha256' as const,
  secret: new Secret('c2VjcmV0IG9mIHRoZSB0ZXN0'),
}
export const CLOCK: Clock = { ...systemClock, now: () => NOW_MS }

export const record = (name: string, type: string, value: string, ttl = 60): Buffer =>
  writeRecord({ name, type: typeCode(type)!, class: CLASS.IN, ttl, data: dataFromValue(type, value) })
export const soa = (serial = 7, name = ZONE): Buffer =>
  record(name, 'SOA', `ns.test h.test ${serial} 1 1 1 1`)
export const A = (label: string): Buffer => record(`${label}.${ZONE}`, 'A', '192.0.2.1')

/** A reply: AA set, no error unless told. */
export function reply(
  id: number,
  answers: readonly Buffer[],
  { rcode = 0, opcode = 0, question = true } = {},
): Buffer {
  const message = writeMessage({ id, opcode }, [question ? [writeQuestion(ZONE, 252)] : [], answers, [], []])
  message.writeUInt16BE(0x8400 | (opcode << 11) | rcode, 2)
  return message
}

/** Answers with these messages, each signed or left unsigned, as one transfer. */
export function transferOf(
  asked: Asked,
  messages: readonly { answers: readonly Buffer[]; signed?: boolean }[],
): Buffer[] {
  let prior = asked.mac
  let between: Buffer[] = []
  return messages.map(({ answers, signed = true }, at) => {
    const bare = reply(asked.id, answers, { question: at === 0 })
    if (!signed) {
      between.push(bare)
      return bare
    }
    const { message, mac } = signReply(bare, {
      key: KEY,
      prior,
      now_s: NOW_MS / 1000,
      between,
      is_later: at > 0,
    })
    prior = mac
    between = []
    return message
  })
}

/** A server and a provider on it, of each test's own. */
export function eachScripted(): {
  server(): ScriptedNameServer
  provider(idle_ms?: number): Rfc2136Provider
} {
  let server: ScriptedNameServer | null = null
  beforeEach(async () => {
    server = await scriptedNameServer()
  })
  afterEach(() => server?.close())
  return {
    server: () => server!,
    provider(idle_ms = 10_000) {
      const settings = {
        account: 'default',
        server: { host: '127.0.0.1', port: server!.port },
        zones: [ZONE],
        key: KEY,
      }
      return new Rfc2136Provider(settings, { clock: CLOCK, idle_ms })
    },
  }
}

export async function failureOf(work: () => Promise<unknown>): Promise<Failure> {
  const thrown = await work().then(
    () => null,
    (error: unknown) => error,
  )
  expect(thrown).toBeInstanceOf(Failure)
  return thrown as Failure
}
