/** Settings of the SSH gateway: where the list of its keys is, and how to get there. */
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { Secret } from '../../kernel/secret.ts'
import { path } from '../../config/kinds/basic.ts'
import { parseHost, showHostPort } from '../../config/kinds/network.ts'
import { listOf, textual, Wrong, wrong } from '../../config/kinds/refine.ts'
import { optional, secret, setting } from '../../config/setting.ts'

export type AuthorizedKeysPlace =
  | { readonly kind: 'file'; readonly path: string }
  | {
      readonly kind: 'sftp'
      readonly user: string
      readonly host: string
      readonly port: number
      /** Absolute, or from the user's home. */
      readonly path: string
    }

export interface PinnedHostKey {
  /** Null where only the fingerprint was given. */
  readonly type: string | null
  readonly fingerprint: string
  /** As it was typed. */
  readonly text: string
}

const SSH_PORT = 22
const form = wrong(
  'must be a path, or sftp://user@host:port/path without a password (/~/ stands for the home)',
)

function parsePlace(text: string): AuthorizedKeysPlace | Wrong {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(text)) return wrong('must not hold control characters')
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { kind: 'file', path: resolve(text) }
  const [, user, host_text = '', port, rest = ''] =
    /^sftp:\/\/([a-z_][a-z0-9_.-]{0,31})@(\[[0-9a-f:.]+\]|[^/:@[\]]+)(?::(\d{1,5}))?(\/.+)$/i.exec(text) ?? []
  if (user === undefined || rest.endsWith('/')) return form
  const host = parseHost(host_text)
  const number = port === undefined ? SSH_PORT : Number(port)
  if (host instanceof Wrong || number < 1 || number > 65_535) return form
  return { kind: 'sftp', user, host, port: number, path: rest.startsWith('/~/') ? rest.slice(3) : rest }
}

export function showPlace(place: AuthorizedKeysPlace): string {
  if (place.kind === 'file') return place.path
  const path = place.path.startsWith('/') ? place.path : `/~/${place.path}`
  return `sftp://${place.user}@${showHostPort(place)}${path}`
}

const KEY_TYPE = /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521))$/

function parsePin(text: string): PinnedHostKey | Wrong {
  if (/^SHA256:[A-Za-z0-9+/]{43}$/.test(text)) return { type: null, fingerprint: text, text }
  const [type = '', key = ''] = text.split(/ +/)
  const blob = Buffer.from(key, 'base64')
  if (!KEY_TYPE.test(type) || blob.length < 32 || blob.toString('base64') !== key)
    return wrong('is no host key such as "ssh-ed25519 AAAA…" or "SHA256:…" (ssh-keyscan HOST shows them)')
  const digest = createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')
  return { type, fingerprint: `SHA256:${digest}`, text: `${type} ${key}` }
}

const PERMISSIONS = {
  pty: 'pty',
  'port-forwarding': 'port_forwarding',
  'agent-forwarding': 'agent_forwarding',
  'x11-forwarding': 'x11_forwarding',
  'user-rc': 'user_rc',
} as const
type Word = keyof typeof PERMISSIONS

type Name = (typeof PERMISSIONS)[Word]

/** `none` is for whoever wants an empty list: an empty setting is an unset one. */
const parseWord = (text: string): Name | 'none' | Wrong => {
  if (text === 'none') return text
  return isWord(text)
    ? PERMISSIONS[text]
    : wrong(`is none of ${Object.keys(PERMISSIONS).join(', ')}; none stands for nothing`)
}

const isWord = (text: string): text is Word => Object.hasOwn(PERMISSIONS, text)

const passphrase = textual((text) =>
  // oxlint-disable-next-line no-control-regex
  /^[^\u0000-\u001f\u007f]{1,1024}$/.test(text)
    ? new Secret(text)
    : wrong('must be 1 to 1024 characters without control characters'),
)

export const ssh = {
  authorized_keys: optional({
    name: 'PLUMBLINE_AUTHORIZED_KEYS',
    example: 'sftp://jump@gateway.example.com:22/home/jump/.ssh/authorized_keys',
    schema: textual(parsePlace),
    show: (place) => (place === null ? '' : showPlace(place)),
    help: 'The authorized_keys file of the SSH gateway: a path, or sftp://user@host:port/path.',
  }),
  host_keys: setting({
    name: 'PLUMBLINE_AUTHORIZED_KEYS_HOST_KEY',
    example: 'SHA256:UNhY4JhezH9gQYqvDMWrWH9CwlcKiECVqejMrND2VFw',
    schema: listOf(parsePin),
    default: '',
    show: (pins) => pins.map(({ text }) => text).join(','),
    help: 'Host keys of the gateway for SFTP, as "ssh-ed25519 AAAA…" or "SHA256:…", comma-separated. No other is taken.',
  }),
  identity_file: optional({
    name: 'PLUMBLINE_AUTHORIZED_KEYS_IDENTITY',
    example: '/etc/plumbline/gateway_ed25519',
    schema: path,
    help: 'The private key (a file) with which we log in there for SFTP.',
  }),
  identity_passphrase: secret({
    name: 'PLUMBLINE_AUTHORIZED_KEYS_PASSPHRASE',
    schema: passphrase,
    help: 'Its passphrase, where it has one.',
  }),
  client_options: setting({
    name: 'PLUMBLINE_SSH_CLIENT_OPTIONS',
    example: 'port-forwarding',
    schema: listOf(parseWord).transform((names) => names.filter((name) => name !== 'none')),
    default: 'pty,port-forwarding',
    show: (names) => names.map((name) => name.replaceAll('_', '-')).join(',') || 'none',
    help: 'What a new SSH client may do that says nothing of it: pty, port-forwarding, agent-forwarding, x11-forwarding, user-rc, or none.',
  }),
}
