/** Settings of UniFi: which controllers are looked at, and with which credentials. */
import { Secret } from '../../../kernel/secret.ts'
import { controllers, fingerprints, showControllers } from './kinds.ts'
import { oneLine } from '../../../config/kinds/name-servers.ts'
import { optional, secret, setting } from '../../../config/setting.ts'

const hidden = oneLine.transform((text) => new Secret(text))

export const unifi = {
  controllers: setting({
    name: 'PLUMBLINE_UNIFI_URL',
    example: 'home=https://192.168.1.1',
    schema: controllers,
    default: '',
    show: showControllers,
    help: 'UniFi controllers, comma-separated: `home=https://192.168.1.1`. Read; names of clients are written where somebody asks for that.',
  }),
  api_key: secret({
    name: 'PLUMBLINE_UNIFI_API_KEY',
    schema: hidden,
    help: 'Their API key (Settings, Control Plane, Integrations); with several controllers `home=KEY,office=KEY`.',
  }),
  user: optional({
    name: 'PLUMBLINE_UNIFI_USER',
    example: 'plumbline',
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
    example:
      'home=50:D8:58:E0:98:5E:CC:7F:60:41:8A:AF:0C:C5:AB:58:7F:42:C2:57:0A:88:40:95:A9:E8:CC:AC:D0:F6:54:5C',
    schema: fingerprints,
    default: '',
    show: (all) => all.map(({ name, sha256 }) => `${name}=${sha256}`).join(','),
    help: 'SHA-256 of the certificates of controllers that sign their own, comma-separated: `home=AB:CD:…`.',
  }),
}

declare module '../../../config/sections.ts' {
  interface Sections {
    readonly unifi: typeof unifi
  }
}
