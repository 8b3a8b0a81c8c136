/** Hetzner DNS as a provider: its settings, its accounts, and what opens them. */
import { headerSecret } from '../../../../config/kinds/basic.ts'
import { httpUrl } from '../../../../config/kinds/network.ts'
import { optional, secret } from '../../../../config/setting.ts'
import { declare } from '../declare.ts'
import { hostedEntry, openHosted, tokenIn } from '../hosted.ts'

const settings = {
  hetzner_token: secret({
    name: 'PLUMBLINE_HETZNER_TOKEN',
    schema: headerSecret,
    help: 'API token of the Hetzner Cloud project that holds the zones.',
  }),
  hetzner_url: optional({
    name: 'PLUMBLINE_HETZNER_URL',
    example: 'https://gateway.example.com/hetzner',
    schema: httpUrl,
    help: 'Address of the API, where it is reached through a gateway.',
  }),
}

export const hetzner = declare({
  name: 'hetzner',
  settings,
  entry: hostedEntry('hetzner'),
  is_hosted: true,
  fromSettings({ hetzner_token, hetzner_url: url }, need) {
    const token = need(hetzner_token, settings.hetzner_token)
    return token && { token, url }
  },
  fromEntry: tokenIn,
  open: async (account, tools) => openHosted((await import('./provider.ts')).hetznerProvider, account, tools),
})
