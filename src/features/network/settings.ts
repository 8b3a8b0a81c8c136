/** Settings of the network companion: its own address. */
import { listenAddress, showHostPort } from '../../config/kinds/network.ts'
import { optional } from '../../config/setting.ts'

export const network = {
  listen: optional({
    name: 'PLUMBLINE_NETWORK_LISTEN',
    example: '127.0.0.1:8092',
    schema: listenAddress,
    show: (place) => (place === null ? '' : showHostPort(place)),
    help: 'An address of its own for the network companion, beside /companions/network/ of the main listener.',
  }),
}
