/** Settings of the store: where everything that must survive a restart is kept. */
import { path } from '../kinds/basic.ts'
import { textual, wrong } from '../kinds/refine.ts'
import { setting } from '../setting.ts'

const MAX_KEPT = 366

const kept = textual((text) =>
  /^\d{1,3}$/.test(text) && Number(text) <= MAX_KEPT
    ? Number(text)
    : wrong(`must be a whole number from 0 (none is made) to ${MAX_KEPT}`),
)

export const store = {
  data_dir: setting({
    name: 'PLUMBLINE_DATA_DIR',
    example: '/var/lib/plumbline',
    schema: path,
    default: './data',
    help: 'Directory of the database, the keys and, by default, the routes file.',
  }),
  copies_kept: setting({
    name: 'PLUMBLINE_BACKUPS_KEPT',
    example: '14',
    schema: kept,
    default: '7',
    help: 'How many daily copies of the database are kept in backups/ of the data directory. 0: none is made.',
  }),
}
