/** Grammars of a file here or on another host over SFTP, and of the host keys that one is known by. */
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { parseHost, showHostPort } from './network.ts'
import { listOf, textual, Wrong, wrong } from './refine.ts'

export type FilePlace =
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

function parsePlace(text: string): FilePlace | Wrong {
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

export function showPlace(place: FilePlace): string {
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

export const filePlace = textual(parsePlace)

export const hostKeyPins = listOf(parsePin)

export const showPins = (pins: readonly PinnedHostKey[]): string => pins.map(({ text }) => text).join(',')
