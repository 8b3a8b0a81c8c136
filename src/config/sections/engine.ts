/** Settings of the engine: how far it goes on its own, and what it publishes. */
import { oneOf } from '../kinds/basic.ts'
import { privateAddressWarning } from '../../kernel/private-address.ts'
import { publishedAddress } from '../kinds/network.ts'
import { optional, setting } from '../setting.ts'

export const engine = {
  mode: setting({
    name: 'PLUMBLINE_MODE',
    example: 'observe',
    schema: oneOf(['repair', 'observe']),
    default: 'repair',
    help: 'repair: drift is undone. observe: drift is only reported. What a caller asks for is done in both.',
  }),
  older_database: setting({
    name: 'PLUMBLINE_OLDER_DATABASE',
    example: 'exit',
    schema: oneOf(['wait', 'exit']),
    default: 'wait',
    help: 'What a start does with a database that is older than the world, such as a restored backup. wait: everything can be read and nothing is written outside until `plumbline releases resume` decides. exit: the start ends with code 66.',
  }),
  public_ip: optional({
    name: 'PLUMBLINE_PUBLIC_IP',
    example: '203.0.113.7',
    schema: publishedAddress,
    warn: privateAddressWarning,
    help: 'The fixed public address of the installation, for domains without an address of their own.',
  }),
}
