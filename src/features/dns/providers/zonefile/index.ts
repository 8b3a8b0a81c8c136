/** Zone files as a provider: its settings, its accounts, and what opens them. */
import { z } from 'zod'
import { commandLine, path } from '../../../../config/kinds/basic.ts'
import { parseHost } from '../../../../config/kinds/network.ts'
import { listOf } from '../../../../config/kinds/refine.ts'
import { optional, setting } from '../../../../config/setting.ts'
import { declare, each, ENTRY } from '../declare.ts'

const settings = {
  zonefile_dir: setting({
    name: 'PLUMBLINE_ZONEFILE_DIR',
    example: '/var/lib/knot/zones',
    schema: path,
    default: 'zones',
    default_in: 'PLUMBLINE_DATA_DIR',
    help: 'Folder of the zone files (ZONE.zone) that a name server loads.',
  }),
  zonefile_nameservers: setting({
    name: 'PLUMBLINE_ZONEFILE_NAMESERVERS',
    example: 'ns1.example.net,ns2.example.net',
    schema: listOf(parseHost),
    default: 'localhost',
    help: 'Host names for the NS records of new zone files, comma-separated; outside of the zones themselves.',
  }),
  zonefile_reload: optional({
    name: 'PLUMBLINE_ZONEFILE_RELOAD',
    example: 'knotc zone-reload {zone}',
    schema: commandLine,
    show: (words) => words.join(' '),
    help: 'Command after a zone file was written, such as `knotc zone-reload {zone}`.',
  }),
}

interface Access {
  readonly directory: string
  readonly nameservers: readonly string[]
  readonly reload: readonly string[] | null
}

export const zonefile = declare({
  name: 'zonefile',
  settings,
  entry: z.strictObject({
    ...ENTRY,
    provider: z.literal('zonefile'),
    directory: path,
    nameservers: each(parseHost).min(1),
    reload: commandLine.nullable().default(null),
  }),
  is_hosted: false,
  fromSettings: ({ zonefile_dir, zonefile_nameservers, zonefile_reload }): Access => ({
    directory: zonefile_dir,
    nameservers: zonefile_nameservers,
    reload: zonefile_reload,
  }),
  fromEntry: ({ directory, nameservers, reload }) => ({ directory, nameservers, reload }),
  folder: {
    setting: settings.zonefile_dir,
    in: ({ zonefile_dir }) => zonefile_dir,
    of: ({ directory }) => directory,
  },
  /** By a server that a command tells, or that is named, or that reads a folder outside the data directory. */
  isServed: ({ directory, nameservers, reload }, data_dir) =>
    reload !== null ||
    nameservers.some((host) => host !== 'localhost') ||
    !directory.startsWith(`${data_dir}/`),
  async open({ name: account, directory, nameservers, reload }, tools) {
    const { openZonefiles } = await import('./open.ts')
    return openZonefiles({ account, directory, nameservers, contact: null, reload }, tools)
  },
})
