/** Settings of the store: where everything that must survive a restart is kept. */
import { path } from '../kinds/basic.ts'
import { setting } from '../setting.ts'

export const store = {
  data_dir: setting({
    name: 'PLUMBLINE_DATA_DIR',
    example: '/var/lib/plumbline',
    schema: path,
    default: './data',
    help: 'Directory of the database, the keys and, by default, the routes file.',
  }),
}
