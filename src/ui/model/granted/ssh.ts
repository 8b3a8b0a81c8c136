/** Who may log in to the SSH gateway: states and options of a key as words, and the body of a call that adds one. */
import type { SshClient } from '../../api/types.ts'
import type { Lamp } from '../lamps.ts'
import { listed } from '../words.ts'

/** How it is, and the sentence that says why. */
interface LampState {
  readonly lamp: Lamp
  readonly why: string
}

const STATES: Readonly<Record<SshClient['state'], LampState>> = {
  deployed: { lamp: 'ok', why: 'Its line stands in the file, as it is saved.' },
  missing: { lamp: 'drift', why: 'It is saved and does not stand in the file; it is put back.' },
  altered: { lamp: 'drift', why: 'Its line says something else than what is saved; it is put back.' },
  unlisted: { lamp: 'drift', why: 'It stands between our lines and is no client of ours; it is taken away.' },
  foreign: {
    lamp: 'off',
    why: 'Somebody else put it into the file. It logs in, is only shown, and never touched.',
  },
  unknown: { lamp: 'unknown', why: 'The file could not be read, so whether it logs in is not known.' },
}

/** A foreign line may have no comment, by which it would be called. */
export const calledOf = ({ name }: Pick<SshClient, 'name'>): string => (name === '' ? 'no comment' : name)

type Row = Pick<SshClient, 'state' | 'weakness' | 'options'>

/** What has expired does not log in, whatever stands in the file. */
export function clientState({ state, weakness, options }: Row, now: number): LampState {
  const known = STATES[state]
  const end = options?.expires_at ?? null
  if (known.lamp === 'ok' && end !== null && Date.parse(end) <= now)
    return { lamp: 'bad', why: 'It has expired: sshd does not take it any more.' }
  return weakness === null ? known : { ...known, why: `${known.why} ${weakness}` }
}

type Options = NonNullable<SshClient['options']>

const FLAGS = [
  ['pty', 'terminal'],
  ['port_forwarding', 'port forwarding'],
  ['agent_forwarding', 'agent forwarding'],
  ['x11_forwarding', 'X11'],
  ['user_rc', '~/.ssh/rc'],
  ['verify_required', 'PIN or fingerprint'],
  ['no_touch_required', 'no touch'],
] as const satisfies readonly (readonly [keyof Options, string])[]

/** "terminal, only from 10.0.0.0/8, runs only backup"; what is off is not said. */
export function optionWords(options: Options | null): string {
  if (options === null) return 'not known'
  const { from, command, permit_open, permit_listen } = options
  const words = [
    ...FLAGS.filter(([field]) => options[field]).map(([, word]) => word),
    ...(from.length > 0 ? [`only from ${listed(from)}`] : []),
    ...(command === null ? [] : [`runs only ${command}`]),
    ...(permit_open.length > 0 ? [`forwards only to ${listed(permit_open)}`] : []),
    ...(permit_listen.length > 0 ? [`listens only on ${listed(permit_listen)}`] : []),
  ]
  return words.length === 0 ? 'nothing but log in' : words.join(', ')
}

const WORDS = new Map<string, string>([
  ...['pty', 'port-forwarding', 'agent-forwarding', 'X11-forwarding', 'user-rc'].flatMap((name, at) => {
    const word = FLAGS[at]![1]
    return [
      [name.toLowerCase(), word],
      [`no-${name.toLowerCase()}`, `no ${word}`],
    ] as const
  }),
  ['verify-required', 'PIN or fingerprint'],
  ['no-touch-required', 'no touch'],
])

const VALUES = new Map<string, string>([
  ['command', 'runs only'],
  ['from', 'only from'],
  ['permitopen', 'forwards only to'],
  ['permitlisten', 'listens only on'],
  ['expiry-time', 'until'],
])

const OPTION = /([\w-]+)(?:="((?:[^"\\]|\\.)*)")?(?:,|$)/g

/** What stands before the key on a line of somebody else (sshd(8), AUTHORIZED_KEYS FILE FORMAT); an unknown word stays as it is. */
export function lineWords(text: string): string {
  const found = [...text.matchAll(OPTION)].map(([whole, name, value]) => {
    const key = name!.toLowerCase()
    const means = value === undefined ? WORDS.get(key) : VALUES.get(key)
    if (means === undefined) return whole.replace(/,$/, '')
    return value === undefined ? means : `${means} ${value.replaceAll('\\"', '"')}`
  })
  const words = found.filter((word) => word.toLowerCase() !== 'restrict')
  if (words.length < found.length) return words.length === 0 ? 'nothing but log in' : words.join(', ')
  return ['all that sshd allows', ...words].join(', ')
}

/** What a key may do, ours or not. */
export const mayWords = ({ options, line_options }: Pick<SshClient, 'options' | 'line_options'>): string =>
  line_options === null ? optionWords(options) : lineWords(line_options)

export interface SshDraft {
  readonly line: string
  readonly name: string
  readonly pty: boolean
  readonly port_forwarding: boolean
  readonly agent_forwarding: boolean
  readonly x11_forwarding: boolean
  readonly from: string
  readonly command: string
  readonly permit_open: string
  /** As a field of the browser has it, in its own zone. */
  readonly until: string
}

export const EMPTY_SSH: SshDraft = {
  line: '',
  name: '',
  pty: true,
  port_forwarding: false,
  agent_forwarding: false,
  x11_forwarding: false,
  from: '',
  command: '',
  permit_open: '',
  until: '',
}

export const DRAFT_FLAGS = [
  ['pty', 'A terminal'],
  ['port_forwarding', 'Port forwarding'],
  ['agent_forwarding', 'Agent forwarding'],
  ['x11_forwarding', 'X11'],
] as const

/** Armour of OpenSSH, PEM (RFC 7468) and SSH2, the head of PuTTY's files, and the beginning of OpenSSH's in base64. */
const PRIVATE = /PRIVATE[ -]KEY|PuTTY-User-Key-File|^Private-(?:Lines|MAC|Hash)|b3BlbnNzaC1rZXktdjE/im
/** `type base64 comment`. The type of options before it would have a `=`, a comma or a quote. */
const PUBLIC_LINE = /^[a-z][a-z0-9.@-]+ +AAAA[A-Za-z0-9+/]{16,}={0,2}(?: .*)?$/

/** Why what was pasted stays in the page; null for one line of a public key, and while there is none. */
export function keyLineFault(line: string): string | null {
  const text = line.trim()
  if (text === '') return null
  if (PRIVATE.test(text))
    return 'This is a private key, which must never leave its owner. It was not sent anywhere. Paste the line of the .pub file.'
  if (/[\r\n]/.test(text))
    return 'These are several lines. Paste the one line of a .pub file. Nothing was sent.'
  return PUBLIC_LINE.test(text)
    ? null
    : 'This is not the line of a .pub file: type, key and comment, without options before them. Nothing was sent.'
}

/** When a new key ends, in words that the field shows; null where it is not over yet. */
export function untilFault(until: string, now: number): string | null {
  const at = Date.parse(until)
  return at <= now ? 'This is past: the key would be expired at once, and sshd would not take it.' : null
}

/** Null while there is no line of a public key: nothing else leaves the page. */
export function addBody(draft: SshDraft): object | null {
  const public_key = draft.line.trim()
  if (public_key === '' || keyLineFault(draft.line) !== null) return null
  const { pty, port_forwarding, agent_forwarding, x11_forwarding } = draft
  const name = draft.name.trim()
  const command = draft.command.trim()
  const until = Date.parse(draft.until)
  return {
    public_key,
    ...(name !== '' && { name }),
    options: {
      pty,
      port_forwarding,
      agent_forwarding,
      x11_forwarding,
      from: wordsOf(draft.from),
      permit_open: wordsOf(draft.permit_open),
      ...(command !== '' && { command }),
      ...(!Number.isNaN(until) && { expires_at: new Date(until).toISOString() }),
    },
  }
}

const wordsOf = (text: string): readonly string[] => text.split(/[\s,]+/).filter((one) => one !== '')
