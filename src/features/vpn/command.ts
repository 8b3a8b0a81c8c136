/** `plumbline vpn`: the sites and peers of the VPN, files and QR codes of devices, and what a gateway needs. */
import type { z } from 'zod'
import type { Api } from '../../cli/api.ts'
import { EXIT } from '../../cli/exit-codes.ts'
import { Misuse } from '../../cli/misuse.ts'
import { tellProse, tellTable } from '../../cli/text/table.ts'
import { shortTime, styled, type Terminal } from '../../cli/text/terminal.ts'
import type { Verb, VerbContext } from '../../cli/verb.ts'
import { textOf } from '../../cli/words/given.ts'
import { asks } from '../../cli/with-api.ts'
import { Failure } from '../../kernel/failure.ts'
import { didYouMean } from '../../kernel/text/nearest.ts'
import { parsePublicKey } from '../../model/ssh/public-key.ts'
import { GATEWAY_SCRIPT, gatewayLine } from './model/gateway-script.ts'
import { qrLines } from './qr/qr.ts'
import type * as views from './views.ts'

type Site = z.output<typeof views.VpnSite>
type Client = z.output<typeof views.VpnClient>
type Rendered = z.output<typeof views.RenderedConfig>
type Drift = z.output<typeof views.VpnDrift>
type Synced = z.output<typeof views.VpnSync>

const BASE = '/companions/vpn/api'

const rendering = {
  'private-key': {
    value: 'FILE',
    help: 'A file with the private key of the device, which is sent once and kept nowhere; - reads it from standard input.',
  },
  'allowed-ips': {
    value: 'NETWORKS',
    help: 'What goes through the tunnel, comma-separated; all when left out.',
  },
} as const

export const vpn: Verb = {
  name: 'vpn',
  help: 'Shows the sites and peers of the VPN, and makes the files of devices.',
  notes: [
    'Exit code 3 where a site is not known as of now. A gateway is read with a key that may run one command there: gateway-script prints the command, gateway-line the line for authorized_keys.',
  ],
  forms: [
    {
      words: '[sites]',
      help: 'Lists the sites.',
      examples: [['vpn', 'How the sites are, and when they were read.']],
      run: asks<readonly Site[]>({
        request: () => ({ method: 'GET', path: `${BASE}/sites` }),
        text: tellSites,
        exit: exitOf,
        is_look: true,
      }),
    },
    {
      words: 'clients [SITE]',
      help: 'Lists the peers, of one site or of all.',
      examples: [['vpn clients uk', 'Who may connect to the site uk, and who did.']],
      is_long: true,
      run: asks<readonly Client[]>({
        request: ({ words: [site] }) => ({
          method: 'GET',
          path: `${BASE}/clients${site === undefined ? '' : `?site=${encodeURIComponent(site)}`}`,
        }),
        text: tellClients,
        note: (headers, terminal) => {
          if (headers['x-complete'] === 'false')
            terminal.note(styled('yellow', 'A site is not known as of now: see plumbline vpn.'))
          if (headers['x-complete'] === 'null') terminal.note('No site is configured. Set UCG_SSH_KEY.')
        },
        exit: (_, headers) => (headers['x-complete'] === 'false' ? EXIT.unknown : EXIT.ok),
        is_look: true,
      }),
    },
    {
      words: 'config SITE PEER',
      help: 'Prints the file of a device, for a peer by its name or key.',
      options: rendering,
      examples: [
        ['vpn config uk phone > uk-phone.conf', 'With a text in the place of the private key.'],
        ['vpn config uk phone --private-key phone.key', 'Ready for use.'],
      ],
      run: asks<Rendered>({
        requestBy: renderRequest,
        text: ({ config, warnings }, terminal) => {
          terminal.out(config.trimEnd())
          for (const { message } of warnings) terminal.note(styled('yellow', message))
        },
      }),
    },
    {
      words: 'qr SITE PEER',
      help: 'Shows the file of a device as a QR code, for the app of a phone.',
      options: rendering,
      examples: [['vpn qr uk phone --private-key phone.key', 'To be held before the camera of the phone.']],
      run: asks<Rendered>({
        requestBy: renderRequest,
        text: ({ config, warnings }, terminal) => {
          const lines = qrLines(config)
          for (const { message } of warnings) terminal.note(styled('yellow', message))
          if (lines === null)
            terminal.note('The file is too long for a QR code: send fewer networks through the tunnel.')
          else for (const line of lines) terminal.out(line)
        },
      }),
    },
    {
      words: 'sync',
      help: 'Reads all gateways now.',
      examples: [['vpn sync', 'After a peer was added at a gateway.']],
      run: asks<Synced>({
        request: () => ({ method: 'POST', path: `${BASE}/sync` }),
        text: ({ sites }, terminal) => tellSites(sites, terminal),
        exit: ({ sites }) => exitOf(sites),
      }),
    },
    {
      words: 'drift',
      help: 'Says whether the names of the sites resolve on this host.',
      examples: [['vpn drift', 'Exit code 2 where one does not.']],
      run: asks<Drift>({
        request: () => ({ method: 'GET', path: `${BASE}/drift` }),
        text: tellDrift,
        exit: ({ ok }) => (ok ? EXIT.ok : EXIT.drift),
        is_look: true,
      }),
    },
    {
      words: 'gateway-script',
      help: 'Prints the script that a gateway exports with.',
      examples: [
        ['vpn gateway-script > wg-export', 'To be put to /data/plumbline/wg-export there, with mode 755.'],
      ],
      run: async ({ terminal }) => {
        terminal.out(GATEWAY_SCRIPT.trimEnd())
        return EXIT.ok
      },
    },
    {
      words: 'gateway-line FILE',
      help: 'Prints the line for authorized_keys of a gateway, from the public key in FILE.',
      examples: [
        [
          'vpn gateway-line /etc/plumbline/vpn_ed25519.pub',
          'The key may run the export there, and nothing else.',
        ],
      ],
      run: async ({ terminal, surroundings, words: [file] }) => {
        const key = parsePublicKey(await surroundings.readFile(file!))
        if (!key.ok) throw new Misuse(`What ${file!} holds ${key.msg}.`)
        terminal.out(gatewayLine(key.value))
        return EXIT.ok
      },
    },
  ],
}

async function renderRequest(api: Api, context: VerbContext) {
  const { options, surroundings, words } = context
  const [site = '', peer = ''] = words
  const client = await clientBy(api, site, peer)
  const file = textOf(options, 'private-key')
  const allowed_ips = textOf(options, 'allowed-ips')
  const headers = { accept: 'application/json' }
  if (file === undefined && allowed_ips !== undefined)
    throw new Misuse('--allowed-ips goes with --private-key: a file without a key is made for everything.')
  if (file === undefined)
    return { method: 'GET' as const, path: `/companions/vpn/${client.config_url}`, headers }
  const private_key = (await surroundings.readFile(file === '-' ? '/dev/stdin' : file)).trim()
  const body = {
    site_id: client.site_id,
    peer_pubkey: client.public_key,
    private_key,
    ...(allowed_ips !== undefined && { allowed_ips }),
  }
  return { method: 'POST' as const, path: `${BASE}/render-config`, headers, body }
}

async function clientBy(api: Api, site: string, peer: string): Promise<Client> {
  const { expectGood } = await import('../../cli/api.ts')
  const path = `${BASE}/clients?site=${encodeURIComponent(site)}`
  const all = await expectGood<readonly Client[]>(api, { method: 'GET', path })
  const found = all.filter((one) => [one.name, one.public_key, one.public_key_url].includes(peer))
  if (found.length === 1) return found[0]!
  if (found.length > 1)
    throw new Failure(
      'conflict',
      `Several peers of ${site} are called ${peer}. Name the one that is meant by its key.`,
    )
  const names = all.map(({ name }) => name)
  throw new Failure('not_found', `The site ${site} has no peer ${peer}.${didYouMean(peer, names)}`)
}

function exitOf(sites: readonly Site[]): number {
  return sites.every(({ status }) => status === 'ok' || status === 'not_configured') ? EXIT.ok : EXIT.unknown
}

function tellSites(sites: readonly Site[], terminal: Terminal): void {
  tellTable(terminal, sites.map(siteCells))
  for (const { name, detail, replaced_server_key } of sites) {
    if (detail !== null) tellProse(terminal, `${name}: ${detail}`)
    if (replaced_server_key !== null)
      tellProse(
        terminal,
        styled(
          'red',
          `${name}: the server had the key ${replaced_server_key.public_key} until ${shortTime(replaced_server_key.at)}. Files that were made before connect no more.`,
        ),
      )
  }
}

const siteCells = (site: Site): readonly string[] => [
  site.site_id,
  site.name,
  site.status.replaceAll('_', ' '),
  site.peer_count === null ? '' : `${site.peer_count} peers`,
  site.wg_port === null ? site.dns_endpoint : `${site.dns_endpoint}:${site.wg_port}`,
  site.last_sync_ts === null ? 'never read' : shortTime(site.last_sync_ts),
]

function tellClients(clients: readonly Client[], terminal: Terminal): void {
  tellTable(
    terminal,
    clients.map((client) => [
      client.site_id,
      client.name,
      client.tunnel_ip ?? '',
      client.online === null ? 'not known' : client.online ? styled('green', 'online') : 'idle',
      client.last_handshake === null ? 'never' : shortTime(client.last_handshake),
      client.public_key,
    ]),
  )
}

function tellDrift({ sites }: Drift, terminal: Terminal): void {
  for (const site of sites.filter(({ configured }) => configured)) {
    const words = site.resolves ? `resolves to ${site.addresses.join(', ')}` : site.error
    tellProse(terminal, `${site.dns_endpoint}: ${words}`)
    if (site.matches_wan === false)
      tellProse(terminal, styled('yellow', `  The gateway has the address ${site.wan_address}.`))
  }
}
