/** Any name server with dynamic updates (RFC 2136) as a provider: its settings, its accounts, and what opens them. */
import { z } from 'zod'
import { headerSecret, oneOf, secretFile } from '../../../../config/kinds/basic.ts'
import { parseNameServer } from '../../../../config/kinds/name-servers.ts'
import { parseHost, parseZone, showHostPort } from '../../../../config/kinds/network.ts'
import { listOf, textual } from '../../../../config/kinds/refine.ts'
import { optional, secret, setting } from '../../../../config/setting.ts'
import { limitedTo } from '../../accounts/dns-account.ts'
import { declare, each, ENTRY } from '../declare.ts'
import type { Rfc2136Settings } from './settings.ts'
import { TSIG_ALGORITHMS } from './tsig-algorithms.ts'

const settings = {
  rfc2136_server: optional({
    name: 'PLUMBLINE_RFC2136_SERVER',
    example: '192.168.1.53:53',
    schema: textual(parseNameServer),
    show: showHostPort,
    help: 'The primary (host:port) that takes dynamic updates and gives transfers.',
  }),
  rfc2136_zones: setting({
    name: 'PLUMBLINE_RFC2136_ZONES',
    example: 'example.com',
    schema: listOf(parseZone),
    default: '',
    help: 'Its zones, comma-separated: a server does not tell them.',
  }),
  rfc2136_key_name: optional({
    name: 'PLUMBLINE_RFC2136_KEY_NAME',
    example: 'plumbline',
    schema: textual(parseHost),
    help: 'Name of the TSIG key.',
  }),
  rfc2136_key_secret: secret({
    name: 'PLUMBLINE_RFC2136_KEY_SECRET',
    schema: headerSecret,
    help: 'Its secret in base64, as tsig-keygen or keymgr wrote it.',
  }),
  rfc2136_key_algorithm: setting({
    name: 'PLUMBLINE_RFC2136_KEY_ALGORITHM',
    example: 'hmac-sha512',
    schema: oneOf(TSIG_ALGORITHMS),
    default: 'hmac-sha256',
    help: `Its algorithm: ${TSIG_ALGORITHMS.join(', ')}.`,
  }),
}

type Access = Pick<Rfc2136Settings, 'server' | 'key'>

export const rfc2136 = declare({
  name: 'rfc2136',
  settings,
  entry: z.strictObject({
    ...ENTRY,
    provider: z.literal('rfc2136'),
    zones: each(parseZone).min(1),
    server: textual(parseNameServer),
    key_name: textual(parseHost),
    key_secret_file: secretFile,
    key_algorithm: z.enum(TSIG_ALGORITHMS).default('hmac-sha256'),
  }),
  is_hosted: false,
  fromSettings(values, need): Access | null {
    const server = need(values.rfc2136_server, settings.rfc2136_server)
    const name = need(values.rfc2136_key_name, settings.rfc2136_key_name)
    const key_secret = need(values.rfc2136_key_secret, settings.rfc2136_key_secret)
    if (server === null || name === null || key_secret === null) return null
    return { server, key: { name, algorithm: values.rfc2136_key_algorithm, secret: key_secret } }
  },
  zones({ rfc2136_zones }, { need, only }) {
    const allowed = limitedTo(rfc2136_zones, only)
    return need(allowed.length > 0 ? allowed : null, settings.rfc2136_zones)
  },
  fromEntry: ({ server, key_name: name, key_algorithm: algorithm, key_secret_file }) => ({
    server,
    key: { name, algorithm, secret: key_secret_file },
  }),
  async open({ name: account, zones, server, key }, { clock, back, atEnd }) {
    const { nameServerGate } = await import('./spared.ts')
    const { Rfc2136Provider } = await import('./provider.ts')
    const gate = nameServerGate(server, clock, back)
    atEnd(() => gate.close())
    return new Rfc2136Provider({ account, server, zones, key }, { clock, gate })
  },
})
