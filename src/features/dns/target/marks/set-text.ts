/** Sets in a few words, for plans, drift and lists. What strangers wrote is made harmless and short. */
import type { Content } from '../writing/fit.ts'

const MAX_CHARACTERS = 300
// What could drive a terminal or turn text around: C0, C1, bidirectional controls.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g // eslint-disable-line no-control-regex

/** `192.0.2.1, 192.0.2.2 ttl 300 proxied`. */
export function setText({ ttl, values, proxied }: Pick<Content, 'ttl' | 'values' | 'proxied'>): string {
  const time = proxied === true ? 'proxied' : `ttl ${ttl ?? 'automatic'}`
  return `${plain(values.join(', '))} ${time}`
}

export function plain(text: string): string {
  const shown = text.replaceAll(UNPRINTABLE, '\ufffd')
  return shown.length <= MAX_CHARACTERS ? shown : `${shown.slice(0, MAX_CHARACTERS - 1)}…`
}
