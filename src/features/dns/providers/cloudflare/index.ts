/** Cloudflare as a provider: its settings, its accounts, and what opens them. */
import { headerSecret } from '../../../../config/kinds/basic.ts'
import { httpUrl } from '../../../../config/kinds/network.ts'
import { optional, secret } from '../../../../config/setting.ts'
import { declare } from '../declare.ts'
import { hostedEntry, openHosted, tokenIn } from '../hosted.ts'

const settings = {
  cloudflare_api_token: secret({
    name: 'PLUMBLINE_CLOUDFLARE_API_TOKEN',
    schema: headerSecret,
    help: 'API token of Cloudflare with Zone:Read and DNS:Edit for the zones. The global key is not taken.',
  }),
  cloudflare_url: optional({
    name: 'PLUMBLINE_CLOUDFLARE_URL',
    example: 'https://gateway.example.com/cloudflare',
    schema: httpUrl,
    help: 'Address of the API, where it is reached through a gateway.',
  }),
}

export const cloudflare = declare({
  name: 'cloudflare',
  settings,
  entry: hostedEntry('cloudflare'),
  is_hosted: true,
  fromSettings({ cloudflare_api_token, cloudflare_url: url }, need) {
    const token = need(cloudflare_api_token, settings.cloudflare_api_token)
    return token && { token, url }
  },
  fromEntry: tokenIn,
  open: async (account, tools) =>
    openHosted((await import('./provider.ts')).cloudflareProvider, account, tools),
})
