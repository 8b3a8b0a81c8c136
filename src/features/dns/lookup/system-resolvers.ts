/** The resolvers that this host uses: the `nameserver` lines of resolv.conf(5), of which the C library takes three. */
import { readFile } from 'node:fs/promises'
import { canonicalAddress } from '../../../model/network/address.ts'
import type { DnsServer } from './port.ts'

const DNS_PORT = 53
const MOST = 3

/** Read anew each time, because a network may come and go. Empty when the file cannot be read. */
export async function systemResolvers(path = '/etc/resolv.conf'): Promise<readonly DnsServer[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const addresses = [...text.matchAll(/^[ \t]*nameserver[ \t]+([^\s#;]+)/gm)].map(([, literal]) =>
    canonicalAddress(literal!),
  )
  return [...new Set(addresses)]
    .filter((address) => address !== null)
    .slice(0, MOST)
    .map((address) => ({ address, port: DNS_PORT }))
}
