/** Checks a list of networks while it is typed. The server decides; this only says it sooner. Pure. */

const MAX_ENTRIES = 256
const MAX_BYTES = 4096
const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`)

/** `{ ok, message }`; an empty list is not ok. */
export function checkNetworks(text) {
  const entries = text.split(',').map((entry) => entry.trim())
  if (text.trim() === '') return wrong('Networks, comma-separated, such as 192.168.1.0/24, fd00::/64')
  if (new TextEncoder().encode(text).length > MAX_BYTES) return wrong(`It has more than ${MAX_BYTES} bytes.`)
  if (entries.length > MAX_ENTRIES) return wrong(`It has more than ${MAX_ENTRIES} networks.`)
  for (const [at, entry] of entries.entries())
    if (!isNetwork(entry))
      return wrong(
        entry === ''
          ? `Entry ${at + 1} is empty.`
          : `Entry ${at + 1} is no network such as 192.168.1.0/24 or fd00::/64.`,
      )
  return { ok: true, message: entries.length === 1 ? '1 network' : `${entries.length} networks` }
}

const wrong = (message) => ({ ok: false, message })

function isNetwork(entry) {
  const [, address, digits] = /^([0-9a-fA-F:.]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(entry) ?? []
  if (address === undefined) return false
  const is_v4 = IPV4.test(address)
  if (!is_v4 && !isIpv6(address)) return false
  return digits === undefined || Number(digits) <= (is_v4 ? 32 : 128)
}

/** The browser knows the grammar of addresses. */
const isIpv6 = (address) => address.includes(':') && URL.canParse(`http://[${address}]/`)
