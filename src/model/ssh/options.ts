/**
 * What a key may be used for: a closed list of sshd's options (sshd(8), AUTHORIZED_KEYS FILE FORMAT). Every line begins
 * with `restrict`, so that what is not allowed here, and what a later sshd invents, is off.
 */
import { isIP, SocketAddress } from 'node:net'
import { type FieldError, fieldError } from '../../kernel/failure.ts'
import type { Instant } from '../../kernel/clock.ts'

/** Each with the word that re-enables it after `restrict`. */
export const PERMISSIONS = {
  pty: 'pty',
  port_forwarding: 'port-forwarding',
  agent_forwarding: 'agent-forwarding',
  x11_forwarding: 'X11-forwarding',
  user_rc: 'user-rc',
} as const
export type Permission = keyof typeof PERMISSIONS

export type Permissions = Readonly<Record<Permission, boolean>>

export interface KeyOptions extends Permissions {
  /** Addresses and networks from which the key is taken; empty for any. */
  readonly from: readonly string[]
  /** What is run, whatever the client asks for; null for what it asks for. */
  readonly command: string | null
  /** `host:port`; empty for any, where ports may be forwarded at all. */
  readonly permit_open: readonly string[]
  readonly permit_listen: readonly string[]
  readonly expires_at: Instant | null
  /** For keys on a security token: a PIN or a fingerprint is needed; a touch is not. */
  readonly verify_required: boolean
  readonly no_touch_required: boolean
}

/** As a caller gives them; what is left out stays as it is, and of a new client is as by default. */
export type AskedOptions = {
  readonly [Name in Permission | 'verify_required' | 'no_touch_required']?: boolean | undefined
} & {
  readonly [Name in 'from' | 'permit_open' | 'permit_listen']?: readonly string[] | undefined
} & {
  readonly command?: string | null | undefined
  /** RFC 3339. */
  readonly expires_at?: string | null | undefined
}

const MAX_COMMAND = 512
const MAX_ENTRIES = 32

/** Collects every fault; the options are of use only when there is none. */
export function readOptions(
  asked: AskedOptions,
  { defaults, on_token }: { readonly defaults: Permissions; readonly on_token: boolean },
): { readonly options: KeyOptions; readonly errors: readonly FieldError[] } {
  const errors: FieldError[] = []
  const fault = (name: keyof AskedOptions, msg: string | null) => {
    if (msg !== null) errors.push(fieldError(['body', 'options', name], msg, 'ssh_option'))
  }
  const names = Object.keys(PERMISSIONS) as Permission[]
  const allowed = Object.fromEntries(names.map((name) => [name, asked[name] ?? defaults[name]]))
  const { from = [], permit_open = [], permit_listen = [], command = null, expires_at = null } = asked
  const { verify_required = false, no_touch_required = false } = asked
  fault('from', listFault(from, networkFault))
  fault(
    'permit_open',
    listFault(permit_open, (text) => endpointFault(text, true)),
  )
  fault(
    'permit_listen',
    listFault(permit_listen, (text) => endpointFault(text, false)),
  )
  fault('command', command === null ? null : commandFault(command))
  fault('expires_at', expires_at === null ? null : timeFault(expires_at))
  if (permit_open.length + permit_listen.length > 0 && allowed['port_forwarding'] !== true)
    fault('port_forwarding', 'must be true where permit_open or permit_listen say which ports')
  if (verify_required && !on_token) fault('verify_required', 'is only for keys on a security token (sk-…)')
  if (no_touch_required && !on_token)
    fault('no_touch_required', 'is only for keys on a security token (sk-…)')
  const options = {
    ...(allowed as Permissions),
    from,
    command,
    permit_open,
    permit_listen,
    expires_at: expires_at === null ? null : Math.floor(Date.parse(expires_at) / 1000) * 1000,
    verify_required,
    no_touch_required,
  }
  return { options, errors }
}

/** What a caller would ask for to get these. */
export const askedAgain = (options: KeyOptions): AskedOptions => ({
  ...options,
  expires_at: options.expires_at === null ? null : new Date(options.expires_at).toISOString(),
})

/** The words before the key, in one order: equal options give equal bytes. */
export function optionWords(options: KeyOptions): readonly string[] {
  const words: string[] = ['restrict']
  for (const [name, word] of Object.entries(PERMISSIONS)) if (options[name as Permission]) words.push(word)
  if (options.from.length > 0) words.push(`from="${options.from.join(',')}"`)
  if (options.command !== null) words.push(`command="${options.command}"`)
  for (const endpoint of options.permit_open) words.push(`permitopen="${endpoint}"`)
  for (const endpoint of options.permit_listen) words.push(`permitlisten="${endpoint}"`)
  if (options.expires_at !== null) words.push(`expiry-time="${sshTime(options.expires_at)}"`)
  if (options.verify_required) words.push('verify-required')
  if (options.no_touch_required) words.push('no-touch-required')
  return words
}

/** `20270101120000Z`, in UTC whatever the gateway's time zone is. */
const sshTime = (at: Instant): string =>
  `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`

function listFault(entries: readonly string[], faultOf: (text: string) => string | null): string | null {
  if (entries.length > MAX_ENTRIES) return `must have at most ${MAX_ENTRIES} entries`
  for (const entry of entries) {
    const fault = faultOf(entry)
    if (fault !== null) return `has an entry that ${fault}`
  }
  return null
}

/** sshd refuses the whole line for a network with bits after its length, and names are looked up by whoever answers. */
function networkFault(text: string): string | null {
  const [address = '', length, ...rest] = text.split('/')
  const family = text.length > 49 ? 0 : isIP(address)
  if (family === 0 || address.includes('%') || rest.length > 0)
    return 'is no address or network such as 192.0.2.7 or 10.44.0.0/24'
  const widest = family === 4 ? 32 : 128
  if (length === undefined) return null
  if (!/^\d{1,3}$/.test(length) || Number(length) > widest || Number(length) === 0)
    return `must have a length from 1 to ${widest}`
  return hasBitsAfter(address, family, Number(length)) ? `has bits after its length of ${length}` : null
}

function hasBitsAfter(address: string, family: number, length: number): boolean {
  const bits = family === 4 ? bitsOfV4(address) : bitsOfV6(address)
  return bits.slice(length).includes('1')
}

const inBits = (value: number, width: number): string => value.toString(2).padStart(width, '0')

const bitsOfV4 = (address: string): string =>
  address
    .split('.')
    .map((part) => inBits(Number(part), 8))
    .join('')

/** @param text any spelling; an IPv4 tail counts as two groups */
function bitsOfV6(text: string): string {
  const { address } = new SocketAddress({ address: text, family: 'ipv6' })
  const tail = /(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1]
  const v4 = tail === undefined ? '' : bitsOfV4(tail)
  const [head = '', end] = (tail === undefined ? address : address.slice(0, -tail.length)).split('::')
  const groups = (part: string) =>
    part
      .split(':')
      .filter((group) => group !== '')
      .map((group) => inBits(Number.parseInt(group, 16), 16))
      .join('')
  const [left, right] = [groups(head), groups(end ?? '') + v4]
  return left + '0'.repeat(128 - left.length - right.length) + right
}

const ENDPOINT = /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9](?:[a-z0-9._-]{0,252})|\*)):(\d{1,5}|\*)$/i

function endpointFault(text: string, host_needed: boolean): string | null {
  const form = `is no ${host_needed ? 'host:port such as db.lan:5432' : 'port or host:port such as 8080 or localhost:8080'}; * stands for any`
  const [, six, , port] = ENDPOINT.exec(host_needed || text.includes(':') ? text : `*:${text}`) ?? []
  if (port === undefined || (six !== undefined && isIP(six) !== 6)) return form
  return port === '*' || (Number(port) >= 1 && Number(port) <= 65_535) ? null : form
}

/** Quotes and backslashes have meanings to sshd's reader that are easy to get wrong; a script's path needs neither. */
const commandFault = (text: string): string | null =>
  /^[\u0020-\u007e]+$/.test(text) && !/["\\]/.test(text) && text.trim() === text && text.length <= MAX_COMMAND
    ? null
    : `must be 1 to ${MAX_COMMAND} printable ASCII characters without " and \\, and without blanks around`

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i

function timeFault(text: string): string | null {
  const at = RFC_3339.test(text) ? Date.parse(text) : Number.NaN
  const year = Number.isNaN(at) ? 0 : new Date(at).getUTCFullYear()
  return year >= 1970 && year <= 9999 ? null : 'must be a time such as 2027-01-31T12:00:00Z'
}
