/** MACs that the operator knows: whole ones, and prefixes of whole octets such as the maker's three. Pure. */
import { type Wrong, wrong } from '../../config/kinds/refine.ts'

const FORM = /^[0-9a-f]{2}(?::[0-9a-f]{2}){0,5}$/

/** Lower-case with colons. */
export function parseKnownMac(text: string): string | Wrong {
  const mac = text.toLowerCase().replaceAll('-', ':').replace(/:$/, '')
  return FORM.test(mac) ? mac : wrong('must be a MAC, or its first octets, such as BC:24:11')
}

export const isKnownMac = (known: readonly string[], mac: string): boolean =>
  known.some((one) => mac === one || mac.startsWith(`${one}:`))

/** Made up by its device, as phones do for each Wi-Fi, and not given by a maker (IEEE 802: locally administered). */
export const isRandomized = (mac: string): boolean => /^[0-9a-f][26ae]/.test(mac)
