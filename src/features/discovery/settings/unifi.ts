/** Settings of UniFi: which controllers are looked at, and with which credentials. */
import { Secret } from '../../../kernel/secret.ts'
import { controllers, fingerprints, showControllers } from './kinds.ts'
import { oneLine } from '../../../config/kinds/name-servers.ts'
import { optional, secret, setting } from '../../../config/setting.ts'

const hidden = oneLine.transform((text) => new Secret(text))

export const unifi = {
  controllers: setting({
    name: 'PLUMBLINE_UNIFI_URL',
    schema: controllers,
    default: '',
    show: showControllers,
    help: 'UniFi controllers, comma-separated: `home=https://192.168.1.1`. Only read.',
  }),
  api_key: secret({
    name: 'PLUMBLINE_UNIFI_API_KEY',
    schema: hidden,
    help: 'Their API key (Settings, Control Plane, Integrations); with several controllers `home=KEY,office=KEY`.',
  }),
  user: optional({
    name: 'PLUMBLINE_UNIFI_USER',
    schema: oneLine,
    help: 'User of controllers that know no API key; a local one without a second factor.',
  }),
  password: secret({
    name: 'PLUMBLINE_UNIFI_PASSWORD',
    schema: hidden,
    help: 'Password of that user.',
  }),
  fingerprints: setting({
    name: 'PLUMBLINE_UNIFI_FINGERPRINT',
    schema: fingerprints,
    default: '',
    show: (all) => all.map(({ name, sha256 }) => `${name}=${sha256}`).join(','),
    help: 'SHA-256 of the certificates of controllers that sign their own, comma-separated: `home=AB:CD:…`.',
  }),
}
