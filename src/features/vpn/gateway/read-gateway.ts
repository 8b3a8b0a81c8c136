/**
 * Reads a gateway's export over SSH. The key is restricted there to one command (`command=` in authorized_keys), so that it
 * does not matter what we ask for: two different words must bring the same kind of answer, or we hold the key of a shell.
 */
import type { Client } from 'ssh2'
import { Failure } from '../../../kernel/failure.ts'
import { fingerprintOf } from '../../../model/ssh/public-key.ts'
import { type SshServer, withSsh } from '../../../io/ssh/connection.ts'
import type { Gateway, GatewayAnswer, GatewayPlace, KnownHost } from '../gateway-port.ts'

const WITHIN_MS = 8_000
const MAX_BYTES = 1024 * 1024

/** Never the bare key: it would open a shell. */
const LET_IN =
  'Put the line that plumbline vpn gateway-line prints into authorized_keys there; an update of its firmware may have ' +
  'removed it.'

export interface SshGatewayParts extends GatewayPlace {
  readonly user: string
  readonly identity_file: string
  /** The setting with its host key: `UCG_UK_HOST_KEY`. */
  readonly host_key_setting: string
}

export function sshGateway({ host, port, user, identity_file, host_key_setting }: SshGatewayParts): Gateway {
  const settings = { host_key: host_key_setting, identity: 'UCG_SSH_KEY', passphrase: null, let_in: LET_IN }
  const server = { host, port, user, identity_file, passphrase: null, settings, ready_within_ms: WITHIN_MS }
  return {
    async read(known, is_first, signal) {
      const limit = AbortSignal.timeout(WITHIN_MS)
      try {
        return await readOnce({ ...server, ...pinned(known) }, is_first, AbortSignal.any([signal, limit]))
      } catch (error) {
        if (signal.aborted) throw signal.reason
        return refusal(error, `${host}:${port}`, limit.aborted)
      }
    },
  }
}

/** What is pinned counts before what was seen. */
function pinned({ pins, first }: KnownHost): Pick<SshServer, 'host_keys'> {
  if (pins.length > 0 || first === null) return { host_keys: pins }
  const [type = '', key = ''] = first.split(' ')
  return { host_keys: [{ type, fingerprint: fingerprintOf(Buffer.from(key, 'base64')) }] }
}

async function readOnce(server: SshServer, is_first: boolean, signal: AbortSignal): Promise<GatewayAnswer> {
  let first_key: string | null = null
  const firstUse = (key: string) => void (first_key = key)
  return withSsh(
    { ...server, firstUse },
    async (client) => {
      const { text, exit_code } = await outputOf(client, 'export')
      if (text === null) return unreadable(`wrote more than ${MAX_BYTES} bytes`)
      const other = is_first ? await outputOf(client, 'export check') : { text }
      if (isExport(text) !== isExport(other.text ?? '') || looksLikeShell(text))
        return refused(
          'The key is not restricted to the export: what we asked for was run. Put the line of plumbline vpn gateway-line ' +
            'into authorized_keys there, in the place of the one without command=.',
        )
      const end = exit_code === 0 || exit_code === null ? '' : `ended with code ${exit_code}`
      if (text.trim() === '') return unreadable(`wrote nothing${end && ` and ${end}`}`)
      return end === '' ? { known: true, text, first_key } : unreadable(end)
    },
    signal,
  )
}

const refused = (detail: string): GatewayAnswer => ({ known: false, status: 'refused', detail })

const unreadable = (what: string): GatewayAnswer => ({
  known: false,
  status: 'unreadable',
  detail: `The command of the key ${what}. Is it the script that plumbline vpn gateway-script prints, and may it be run?`,
})

const isExport = (text: string): boolean => text.trimStart().startsWith('{')

/** `export` is a word of shells: it lists the environment. */
const looksLikeShell = (text: string): boolean => /^(?:declare -x|export) \w+(?:=|$)/m.test(text)

interface Output {
  /** What it wrote to its standard output; null for too much. */
  readonly text: string | null
  /** Null where a signal ended it. */
  readonly exit_code: number | null
}

function outputOf(client: Client, command: string): Promise<Output> {
  const { promise, resolve, reject } = Promise.withResolvers<Output>()
  client.exec(command, (error, channel) => {
    if (error !== undefined) return reject(error)
    const pieces: Buffer[] = []
    let bytes = 0
    channel.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (bytes <= MAX_BYTES) pieces.push(piece)
      else {
        resolve({ text: null, exit_code: null })
        channel.destroy()
      }
    })
    // Nobody reads what it complains of, which must not hold it up.
    channel.stderr.resume()
    channel.on('error', reject)
    channel.on('close', (exit_code: number | null = null) =>
      resolve({ text: Buffer.concat(pieces).toString('utf8'), exit_code }),
    )
  })
  return promise
}

function refusal(error: unknown, place: string, is_late: boolean): GatewayAnswer {
  if (is_late)
    return {
      known: false,
      status: 'unreachable',
      detail: `${place} did not answer within ${WITHIN_MS / 1000} s.`,
    }
  const is_refused = error instanceof Failure && error.code === 'provider_credentials'
  const detail = error instanceof Error ? error.message : String(error)
  return { known: false, status: is_refused ? 'refused' : 'unreachable', detail }
}
