/** Where the routes file lies, as `plumbline doctor` finds it; what it holds is told by the health page. */
import { replacedFile } from './replaced-file.ts'
import type { World } from './world.ts'

export const routes: World = {
  beside: ({ settings }) => replacedFile('routes', settings.routes.file, settings.store.data_dir),
}
