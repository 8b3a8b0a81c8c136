/** deSEC as a provider: its settings, its accounts, and what opens them. */
import { headerSecret } from '../../../../config/kinds/basic.ts'
import { httpUrl } from '../../../../config/kinds/network.ts'
import { optional, secret } from '../../../../config/setting.ts'
import { declare } from '../declare.ts'
import { hostedEntry, openHosted, tokenIn } from '../hosted.ts'

const settings = {
  desec_token: secret({
    name: 'PLUMBLINE_DESEC_TOKEN',
    schema: headerSecret,
    help: 'Token of deSEC.',
  }),
  desec_url: optional({
    name: 'PLUMBLINE_DESEC_URL',
    example: 'https://gateway.example.com/desec',
    schema: httpUrl,
    help: 'Address of the API, where it is reached through a gateway.',
  }),
}

export const desec = declare({
  name: 'desec',
  settings,
  entry: hostedEntry('desec'),
  is_hosted: true,
  fromSettings({ desec_token, desec_url: url }, need) {
    const token = need(desec_token, settings.desec_token)
    return token && { token, url }
  },
  fromEntry: tokenIn,
  open: async (account, tools) => openHosted((await import('./provider.ts')).desecProvider, account, tools),
})
