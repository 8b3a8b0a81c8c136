/** Settings of Proxmox VE: which hosts or clusters are looked at for guests, and with which tokens. */
import { Secret } from '../../../kernel/secret.ts'
import { clusters, fingerprints, showControllers, tokensIn } from './kinds.ts'
import { textual, wrong } from '../../../config/kinds/refine.ts'
import { secret, setting } from '../../../config/setting.ts'

const tokens = textual((text) =>
  tokensIn(text) === null
    ? wrong('must be user@realm!id=secret, or home=user@realm!id=secret,office=… for several')
    : new Secret(text),
)

export const proxmox = {
  clusters: setting({
    name: 'PLUMBLINE_PROXMOX',
    example: 'home=https://192.168.1.5:8006',
    schema: clusters,
    default: '',
    show: showControllers,
    help: 'Proxmox VE hosts, one for each cluster, comma-separated: `home=https://192.168.1.5:8006`. Only read.',
  }),
  token: secret({
    name: 'PLUMBLINE_PROXMOX_TOKEN',
    schema: tokens,
    help: 'Their API token `user@realm!id=secret` with the role PVEAuditor on /, and VM.GuestAgent.Audit (VM.Monitor before 9) for addresses that only an agent knows; with several `home=TOKEN,office=TOKEN`.',
  }),
  fingerprints: setting({
    name: 'PLUMBLINE_PROXMOX_FINGERPRINT',
    example:
      'home=50:D8:58:E0:98:5E:CC:7F:60:41:8A:AF:0C:C5:AB:58:7F:42:C2:57:0A:88:40:95:A9:E8:CC:AC:D0:F6:54:5C',
    schema: fingerprints,
    default: '',
    show: (all) => all.map(({ name, sha256 }) => `${name}=${sha256}`).join(','),
    help: 'SHA-256 of their certificates where no known authority signed them, comma-separated: `home=AB:CD:…`.',
  }),
}

declare module '../../../config/sections.ts' {
  interface Sections {
    readonly proxmox: typeof proxmox
  }
}
