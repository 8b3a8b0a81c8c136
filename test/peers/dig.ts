/**
 * Asking a server on loopback with `dig`: a reader of DNS that shares no code with ours. The gate asks most of its questions over a
 * socket of its own (wire.ts), which peers.test.ts holds to what `dig` prints; in depth `dig` is asked each time.
 *
 * Once in some ten thousand questions `dig` gets the server's own port to send from and takes its question, which comes
 * back to itself, for the reply. Such a one has no `qr` among its flags, and the question is asked again.
 */
import { TIER } from '../kit/tier.ts'
import { runTool } from './peer.ts'
import { askWire, transferWire, type WireReply } from './wire.ts'

export interface TsigKey {
  /** Without a closing dot. */
  readonly name: string
  readonly algorithm: 'hmac-sha256' | 'hmac-sha384' | 'hmac-sha512'
  /** Base64. */
  readonly secret: string
}

export interface DigRecord {
  /** Lower case, no closing dot. */
  readonly name: string
  readonly type: string
  readonly ttl: number
  /** As `dig` prints it. */
  readonly value: string
}

const BOUNDS = ['+time=5', '+tries=4']

/** The values of the answer, sorted; empty for none. A CNAME in the way is among them. */
export const digShort = async (port: number, name: string, type: string): Promise<string[]> =>
  (await digAnswer(port, name, type)).map(({ value }) => value).sort()

/** The records of the answer section. */
const digAnswer = async (port: number, name: string, type: string): Promise<readonly DigRecord[]> =>
  (await ask(port, name, type)).answers

/** The status of the answer: `NOERROR`, `NXDOMAIN`, `REFUSED` … */
export const digStatus = async (port: number, name: string, type: string): Promise<string> =>
  (await ask(port, name, type)).status

const ask = async (port: number, name: string, type: string): Promise<WireReply> =>
  (TIER === 'gate' ? await askWire(port, name, type) : null) ?? askDig(port, name, type)

/** Of the header and the answer section as `dig` prints them. */
export async function askDig(port: number, name: string, type: string): Promise<WireReply> {
  const args = ['@127.0.0.1', '-p', String(port), '+noall', '+comments', '+answer', '+norec', ...BOUNDS]
  for (;;) {
    const printed = await runTool('dig', [...args, '-q', `${name}.`, '-t', type])
    if (isOwnQuestion(printed)) continue
    const status = /status: ([A-Z0-9]+)/.exec(printed)?.[1]
    if (status === undefined) throw new Error(`dig shows no status for ${type} ${name}`)
    return { status, answers: lines(printed).map(recordOf) }
  }
}

/** True when a printed message is none that a server sent. */
export const isOwnQuestion = (printed: string): boolean => /^;; flags:(?! qr)/m.test(printed)

/** True when the server answers with the zone's start of authority. */
export const servesZone = async (port: number, zone: string): Promise<boolean> =>
  (await digAnswer(port, zone, 'SOA').catch(() => [])).some(({ type }) => type === 'SOA')

/**
 * Every record of a zone, by transfer (AXFR): unlike an answer it shows what stands there, with nothing made up by
 * wildcards and aliases. Throws when the transfer is refused or cut.
 */
export async function digZone(port: number, zone: string, key?: TsigKey): Promise<readonly DigRecord[]> {
  const records = TIER === 'gate' ? await transferWire(port, zone, key) : null
  return records !== null && isWhole(records) ? records.slice(0, -1) : transferDig(port, zone, key)
}

export async function transferDig(port: number, zone: string, key?: TsigKey): Promise<readonly DigRecord[]> {
  const signed = key === undefined ? [] : ['-y', `${key.algorithm}:${key.name}:${key.secret}`]
  const args = ['@127.0.0.1', '-p', String(port), ...signed, '+noall', '+answer', ...BOUNDS]
  const printed = await runTool('dig', [...args, '-q', `${zone}.`, '-t', 'AXFR'])
  const records = lines(printed)
    .map(recordOf)
    .filter(({ type }) => type !== 'TSIG')
  if (!isWhole(records)) throw new Error(`dig got no whole transfer of ${zone}: ${printed.slice(0, 500)}`)
  return records.slice(0, -1)
}

const isWhole = (records: readonly DigRecord[]): boolean =>
  records.length >= 2 && records[0]?.type === 'SOA' && records.at(-1)?.type === 'SOA'

const lines = (text: string): string[] =>
  text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith(';'))

function recordOf(line: string): DigRecord {
  const match = /^(\S+)\s+(\d+)\s+(?:IN|ANY)\s+(\S+)\s+(.*)$/.exec(line)
  if (match === null) throw new Error(`dig printed what is no record: ${line}`)
  const [, name = '', ttl, type = '', value = ''] = match
  return { name: name.toLowerCase().replace(/\.$/, ''), ttl: Number(ttl), type, value }
}
