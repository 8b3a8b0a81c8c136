/** Settings of the engine: how far it goes on its own, and what it publishes. */
import { oneOf } from '../kinds/basic.ts'
import { publishedAddress } from '../kinds/network.ts'
import { optional, setting } from '../setting.ts'

export const engine = {
  mode: setting({
    name: 'PLUMBLINE_MODE',
    schema: oneOf(['repair', 'observe']),
    default: 'repair',
    help: 'repair: drift is undone. observe: drift is only reported. What a caller asks for is done in both.',
  }),
  public_ip: optional({
    name: 'PLUMBLINE_PUBLIC_IP',
    schema: publishedAddress,
    help: 'The fixed public address of the installation, for domains without an address of their own.',
  }),
}
