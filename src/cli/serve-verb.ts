/** `plumbline serve` and `plumbline quickstart`: the daemon in the foreground. */
import type { Verb } from './verb.ts'

export const serve: Verb = {
  name: 'serve',
  takes: '',
  help: 'Run the daemon until it is told to stop.',
  options: {},
  run: ({ surroundings }) => surroundings.serve({ quickstart: false }),
}

export const quickstart: Verb = {
  name: 'quickstart',
  takes: '',
  help: 'Run the daemon, apply the sample estate and say where everything is.',
  options: {},
  run: ({ surroundings }) => surroundings.serve({ quickstart: true }),
}
