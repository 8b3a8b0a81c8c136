/** PowerDNS Authoritative as a provider: its settings, its accounts, and what opens them. */
import { z } from 'zod'
import { headerSecret, secretFile } from '../../../../config/kinds/basic.ts'
import { httpUrl } from '../../../../config/kinds/network.ts'
import { secret, setting } from '../../../../config/setting.ts'
import { declare, ENTRY } from '../declare.ts'

const settings = {
  powerdns_url: setting({
    name: 'PLUMBLINE_POWERDNS_URL',
    example: 'http://192.168.1.53:8081',
    schema: httpUrl,
    default: 'http://127.0.0.1:8081',
    help: 'Address of the web server of PowerDNS Authoritative.',
  }),
  powerdns_api_key: secret({
    name: 'PLUMBLINE_POWERDNS_API_KEY',
    schema: headerSecret,
    help: 'Its api-key.',
  }),
}

export const powerdns = declare({
  name: 'powerdns',
  settings,
  entry: z.strictObject({
    ...ENTRY,
    provider: z.literal('powerdns'),
    url: httpUrl,
    api_key_file: secretFile,
  }),
  is_hosted: false,
  fromSettings({ powerdns_url: url, powerdns_api_key }, need) {
    const api_key = need(powerdns_api_key, settings.powerdns_api_key)
    return api_key && { url, api_key }
  },
  fromEntry: ({ url, api_key_file: api_key }) => ({ url, api_key }),
  async open({ name: account, url, api_key }, { http }) {
    const { PowerDnsProvider } = await import('./provider.ts')
    return new PowerDnsProvider({ account, url, api_key, http })
  },
})
