/** From an account of zone files to the provider that reads and writes them. */
import { managedFile } from '../../../../io/files/managed-file.ts'
import { WRITTEN_BY_OWNER } from '../../../../model/file-access.ts'
import { MAX_ZONE_BYTES } from './zone-file.ts'
import { ZonefileProvider, type ZonefileSettings, type ZonefileTools } from './provider.ts'

export const openZonefiles = (
  settings: ZonefileSettings,
  { clock, log }: Pick<ZonefileTools, 'clock' | 'log'>,
): ZonefileProvider =>
  new ZonefileProvider(settings, {
    file: (path) => managedFile(path, { max_bytes: MAX_ZONE_BYTES, access: WRITTEN_BY_OWNER, log }),
    clock,
    log,
  })
