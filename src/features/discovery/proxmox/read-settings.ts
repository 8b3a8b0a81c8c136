/**
 * From a guest's configuration and from what runs inside of it to its network cards and addresses. Pure.
 *
 * A guest has addresses that say nothing of where it is reached: its loopback, and the bridges of containers inside of it,
 * which are the same in every guest. So only interfaces with the MAC of one of its own cards count.
 */
import { asFlag, asRecord, asRecords, asText, type Json } from '../../../kernel/text/lenient.ts'
import { parseAddress } from '../../../model/network/address.ts'

export interface GuestSettings {
  readonly macs: readonly string[]
  /** Fixed ones, as they are configured. */
  readonly addresses: readonly string[]
  /** It has an address that only its inside can tell: by DHCP, or set by hand. */
  readonly has_others: boolean
  /** A QEMU guest agent is configured. */
  readonly has_agent: boolean
}

/** Of `/nodes/{n}/qemu/{id}/config` (`net0`, cloud-init's `ipconfig0`) or of `/nodes/{n}/lxc/{id}/config` (`net0`). */
export function readSettings(data: unknown): GuestSettings {
  const config = asRecord(data)
  const cards = optionsAt(config, /^net\d+$/)
  const fixed = [...cards, ...optionsAt(config, /^ipconfig\d+$/)].flatMap(({ ip, ip6 }) => [ip, ip6])
  const addresses = unique(fixed.flatMap((text) => usable(text)))
  return {
    macs: unique(cards.flatMap((card) => macOf(Object.values(card)) ?? [])),
    addresses,
    has_others: hasOthers(config),
    has_agent: isAgentOn(asText(config['agent']) ?? ''),
  }
}

/** A card that nothing gives a fixed address. */
function hasOthers(config: Json): boolean {
  const numbers = Object.keys(config).flatMap((key) => /^net(\d+)$/.exec(key)?.[1] ?? [])
  return numbers.some((number) => {
    const of_card = optionsAt(config, new RegExp(`^(?:net|ipconfig)${number}$`))
    return of_card.every(({ ip, ip6 }) => [ip, ip6].flatMap((text) => usable(text)).length === 0)
  })
}

type Options = Readonly<Record<string, string>>

/** `virtio=BC:24:11:00:00:01,bridge=vmbr0,ip=192.0.2.31/24`, for each key that fits. */
const optionsAt = (config: Json, key: RegExp): readonly Options[] =>
  Object.keys(config)
    .filter((name) => key.test(name))
    .map((name) =>
      Object.fromEntries(
        (asText(config[name]) ?? '').split(',').map((part) => {
          const [option = '', ...value] = part.split('=')
          return [option.trim(), value.join('=').trim()]
        }),
      ),
    )

const MAC = /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/

const macOf = (texts: readonly string[]): string | null =>
  texts.map((text) => text.toLowerCase().replaceAll('-', ':')).find((text) => MAC.test(text)) ?? null

/** `1`, `1,fstrim_cloned_disks=1` and `enabled=1` alike. */
function isAgentOn(text: string): boolean {
  const [first = ''] = text.split(',')
  return asFlag(first.replace(/^enabled=/, '')) === true
}

/** Of `/agent/network-get-interfaces` and of `/lxc/{id}/interfaces` in its old and new form. Null for what is neither. */
export function readInterfaces(data: unknown, macs: readonly string[]): readonly string[] | null {
  const all = asRecords(asRecord(data)['result']) ?? asRecords(data)
  if (all === null) return null
  const own = all.filter((one) => isOwn(one, macs))
  return unique(own.flatMap((one) => [...addressesOf(one), one['inet'], one['inet6']].flatMap(usable)))
}

function isOwn(one: Json, macs: readonly string[]): boolean {
  const mac = macOf([one['hardware-address'], one['hwaddr']].flatMap((value) => asText(value) ?? []))
  return mac !== null && (macs.length === 0 || macs.includes(mac))
}

const addressesOf = (one: Json): readonly unknown[] =>
  (asRecords(one['ip-addresses']) ?? []).map((entry) => entry['ip-address'])

/** With or without the length of its network. `dhcp`, `auto`, `manual` and link-local ones are none. */
function usable(value: unknown): readonly string[] {
  const [address = ''] = (asText(value) ?? '').split('/')
  const parsed = parseAddress(address)
  return parsed.ok && !parsed.value.startsWith('127.') && parsed.value !== '::1' ? [parsed.value] : []
}

const unique = (all: readonly string[]): readonly string[] => [...new Set(all)]
