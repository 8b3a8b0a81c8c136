/** hosts(5): an address and the names that have it. Pure. */
import { isIP } from 'node:net'
import { canonicalAddress } from '../../../../model/network/address.ts'
import type { Override } from '../../../../model/resolver/view.ts'
import { plainName } from '../plain-name.ts'

/** Lines that are none are passed over, as every reader of these files does. */
export function hostsOverrides(text: string, path: string): Override[] {
  return text.split(/\r?\n/).flatMap((line, at) => {
    const [literal = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    const address = canonicalAddress(literal)
    if (address === null) return []
    const type = isIP(address) === 4 ? 'A' : 'AAAA'
    return names.flatMap((text_of_name): Override[] => {
      const name = plainName(text_of_name)
      if (name === null || name === '') return []
      return [{ name, scope: 'exact', type, value: address, source: `${path}:${at + 1}` }]
    })
  })
}
