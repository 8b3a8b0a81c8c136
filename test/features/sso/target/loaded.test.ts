/** Written is not loaded: what is known of the provider's start, and of our own restart, decides. */
import { expect, it } from 'vitest'
import { isLoaded, type LoadFacts } from '../../../../src/features/sso/target/rules-view.ts'

const LOAD = { place: '/r.yml', stamp: '1 100', text: 'rules', at: 200, started_at: null }
const FACTS: LoadFacts = {
  restarts: 'command',
  place: '/r.yml',
  text: 'others',
  change: { stamp: '1 100', at: 100 },
  started_at: null,
  load: null,
}

const OF_MODE: Partial<LoadFacts> = {
  text: 'rules',
  change: { stamp: '1 150 90', at: 150 },
  load: { ...LOAD, stamp: '1 100 90' },
}
const STARTED: Partial<LoadFacts> = { restarts: 'docker', change: { stamp: '1 900000000 90', at: 900 } }

it.each<[string, Partial<LoadFacts>, boolean | null]>([
  ['started after the change', { restarts: 'docker', started_at: 101 }, true],
  ['started before it', { restarts: 'docker', started_at: 99 }, false],
  [
    'started in the very millisecond: too close to tell, so not',
    { restarts: 'docker', started_at: 100 },
    false,
  ],
  ['started before it, whatever we remember', { restarts: 'docker', started_at: 99, load: LOAD }, false],
  ['nobody could be asked, but we did it', { restarts: 'docker', started_at: undefined, load: LOAD }, true],
  ['nobody could be asked', { restarts: 'docker', started_at: undefined }, null],
  ['a container that does not run', { restarts: 'docker', started_at: null }, null],
  ['never restarted by our command', {}, false],
  ['restarted by our command with this change', { load: LOAD }, true],
  ['touched since, with the same bytes', { load: { ...LOAD, stamp: '1 99' } }, false],
  ['its mode alone was changed since', OF_MODE, true],
  ['its mode alone, as far as the stamp says, with other bytes', { ...OF_MODE, text: 'others' }, false],
  ['written again since with the same bytes', { ...OF_MODE, change: { stamp: '1 150 91', at: 150 } }, false],
  ['another file renamed over it', { ...OF_MODE, change: { stamp: '2 150 90', at: 150 } }, false],
  ['its mode was changed after the start that we saw', { ...OF_MODE, ...STARTED, started_at: 110 }, true],
  ['started again, before its mode was changed', { ...OF_MODE, ...STARTED, started_at: 201 }, false],
  [
    'the very start that we saw with it, on a clock that was set back since the file was written',
    { restarts: 'docker', text: 'rules', started_at: 60, load: { ...LOAD, started_at: 60 } },
    true,
  ],
  [
    'the very start that we saw with others, on a clock that was ahead then',
    { restarts: 'docker', started_at: 900, load: { ...LOAD, at: 950, started_at: 900 } },
    false,
  ],
  ['started again since', { restarts: 'docker', started_at: 950, load: { ...LOAD, started_at: 900 } }, true],
  ['another file', { load: { ...LOAD, place: '/other.yml' } }, false],
  ['restarted by a watcher that we saw', { restarts: 'watched', load: LOAD }, true],
  ['restarted by a watcher that we did not see', { restarts: 'watched' }, null],
  ['restarted by nobody', { restarts: 'none' }, null],
  ['no file', { change: null, load: LOAD }, null],
])('%s', (_, facts, loaded) => {
  expect(isLoaded({ ...FACTS, ...facts })).toBe(loaded)
})
